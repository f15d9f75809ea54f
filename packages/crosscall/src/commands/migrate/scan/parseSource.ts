import ts from "typescript";

export interface Source {
  readonly file: ts.SourceFile;
  symbolOf(node: ts.Node): ts.Symbol | undefined;
  callsOf(symbol: ts.Symbol): readonly ts.CallExpression[];
  methodCallsOf(symbol: ts.Symbol): readonly ts.CallExpression[];
  assignmentsOf(symbol: ts.Symbol): readonly ts.Expression[];
  handedOver(symbol: ts.Symbol): readonly ts.Identifier[];
  usagesOf(symbol: ts.Symbol): readonly ts.JsxOpeningLikeElement[];
}

const OPTIONS: ts.CompilerOptions = {
  allowJs: true,
  jsx: ts.JsxEmit.Preserve,
  // Other files and libraries cost time, and values are tracked within one file.
  noLib: true,
  noResolve: true,
  types: [],
};

/** Broken code is read as far as possible. */
export function parseSource(name: string, text: string): Source {
  const file = ts.createSourceFile(name, text, { languageVersion: ts.ScriptTarget.Latest }, true);
  const checker = ts.createProgram([name], OPTIONS, hostOf(file)).getTypeChecker();
  const calls = new Map<ts.Symbol, ts.CallExpression[]>();
  const methodCalls = new Map<ts.Symbol, ts.CallExpression[]>();
  const assignments = new Map<ts.Symbol, ts.Expression[]>();
  const handedOver = new Map<ts.Symbol, ts.Identifier[]>();
  const usages = new Map<ts.Symbol, ts.JsxOpeningLikeElement[]>();
  const symbolOf = (node: ts.Node): ts.Symbol | undefined =>
    ts.isShorthandPropertyAssignment(node)
      ? checker.getShorthandAssignmentValueSymbol(node)
      : checker.getSymbolAtLocation(node);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      add(calls, symbolOf(node.expression), node);
      if (ts.isPropertyAccessExpression(node.expression)) {
        add(methodCalls, symbolOf(node.expression.expression), node);
      }
      for (const argument of node.arguments) {
        if (ts.isIdentifier(argument)) add(handedOver, symbolOf(argument), argument);
      }
    } else if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      add(assignments, symbolOf(node.left), node.right);
    } else if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) {
      add(usages, symbolOf(node.tagName), node);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return {
    file,
    symbolOf,
    callsOf: (symbol) => calls.get(symbol) ?? [],
    methodCallsOf: (symbol) => methodCalls.get(symbol) ?? [],
    assignmentsOf: (symbol) => assignments.get(symbol) ?? [],
    handedOver: (symbol) => handedOver.get(symbol) ?? [],
    usagesOf: (symbol) => usages.get(symbol) ?? [],
  };
}

function add<Value>(index: Map<ts.Symbol, Value[]>, symbol: ts.Symbol | undefined, value: Value): void {
  if (symbol === undefined) return;
  index.set(symbol, [...(index.get(symbol) ?? []), value]);
}

function hostOf(file: ts.SourceFile): ts.CompilerHost {
  return {
    getSourceFile: (name) => (name === file.fileName ? file : undefined),
    fileExists: (name) => name === file.fileName,
    readFile: () => undefined,
    writeFile: () => undefined,
    getDefaultLibFileName: () => "",
    getCurrentDirectory: () => "/",
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
  };
}
