import type ts from "typescript";

import { compiler } from "./compiler.ts";

export interface Source {
  readonly file: ts.SourceFile;
  symbolOf(node: ts.Node): ts.Symbol | undefined;
  callsOf(symbol: ts.Symbol): readonly ts.CallExpression[];
  methodCallsOf(symbol: ts.Symbol): readonly ts.CallExpression[];
  assignmentsOf(symbol: ts.Symbol): readonly ts.Expression[];
  /** Left sides of assignments to members of an object. */
  membersSetOf(symbol: ts.Symbol): readonly ts.AccessExpression[];
  handedOver(symbol: ts.Symbol): readonly ts.Identifier[];
  usagesOf(symbol: ts.Symbol): readonly ts.JsxOpeningLikeElement[];
}

const OPTIONS: ts.CompilerOptions = {
  allowJs: true,
  jsx: compiler.JsxEmit.Preserve,
  // Skips other files and libraries to save time, because values are tracked within one file.
  noLib: true,
  noResolve: true,
  types: [],
};

/** Parses a source file, as far as possible if the code is broken. */
export function parseSource(name: string, text: string): Source {
  const file = compiler.createSourceFile(name, text, { languageVersion: compiler.ScriptTarget.Latest }, true);
  const checker = compiler.createProgram([name], OPTIONS, hostOf(file)).getTypeChecker();
  const calls = new Map<ts.Symbol, ts.CallExpression[]>();
  const methodCalls = new Map<ts.Symbol, ts.CallExpression[]>();
  const assignments = new Map<ts.Symbol, ts.Expression[]>();
  const membersSet = new Map<ts.Symbol, ts.AccessExpression[]>();
  const handedOver = new Map<ts.Symbol, ts.Identifier[]>();
  const usages = new Map<ts.Symbol, ts.JsxOpeningLikeElement[]>();
  const symbolOf = (node: ts.Node): ts.Symbol | undefined =>
    compiler.isShorthandPropertyAssignment(node)
      ? checker.getShorthandAssignmentValueSymbol(node)
      : checker.getSymbolAtLocation(node);
  const visit = (node: ts.Node): void => {
    if (compiler.isCallExpression(node)) {
      add(calls, symbolOf(node.expression), node);
      if (compiler.isPropertyAccessExpression(node.expression)) {
        add(methodCalls, symbolOf(node.expression.expression), node);
      }
      for (const argument of node.arguments) {
        if (compiler.isIdentifier(argument)) add(handedOver, symbolOf(argument), argument);
      }
    } else if (compiler.isBinaryExpression(node) && node.operatorToken.kind === compiler.SyntaxKind.EqualsToken) {
      add(assignments, symbolOf(node.left), node.right);
      if (compiler.isPropertyAccessExpression(node.left) || compiler.isElementAccessExpression(node.left)) {
        add(membersSet, symbolOf(node.left.expression), node.left);
      }
    } else if (compiler.isJsxOpeningElement(node) || compiler.isJsxSelfClosingElement(node)) {
      add(usages, symbolOf(node.tagName), node);
    }
    compiler.forEachChild(node, visit);
  };
  visit(file);
  return {
    file,
    symbolOf,
    callsOf: (symbol) => calls.get(symbol) ?? [],
    methodCallsOf: (symbol) => methodCalls.get(symbol) ?? [],
    assignmentsOf: (symbol) => assignments.get(symbol) ?? [],
    membersSetOf: (symbol) => membersSet.get(symbol) ?? [],
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

/** Placeholder for the parts of a string that are known only at run time. */
const UNKNOWN = "\uFFFF";

const MAX_DEPTH = 8;

/**
 * Returns the string value of an expression, or undefined if it is not a string.
 *
 * @param source source file to resolve names in; if undefined, only literals are read
 */
export function staticText(node: ts.Node, source?: Source, depth = 0): string | undefined {
  const bare = unwrap(node);
  const partOf = (part: ts.Node): string => staticText(part, source, depth + 1) ?? UNKNOWN;
  if (depth > MAX_DEPTH) return undefined;
  if (compiler.isStringLiteralLike(bare)) return bare.text;
  if (compiler.isTemplateExpression(bare)) {
    return bare.head.text + bare.templateSpans.map((span) => partOf(span.expression) + span.literal.text).join("");
  }
  if (compiler.isBinaryExpression(bare) && bare.operatorToken.kind === compiler.SyntaxKind.PlusToken) {
    return partOf(bare.left) + partOf(bare.right);
  }
  if (source === undefined) return undefined;
  if (compiler.isNewExpression(bare) && bare.expression.getText() === "URL") {
    const [url, base] = bare.arguments ?? [];
    const texts = [url, base].flatMap((part) => (part === undefined ? [] : [partOf(part)]));
    return texts.length === 0 ? undefined : texts.toReversed().join("");
  }
  if (compiler.isIdentifier(bare) || compiler.isPropertyAccessExpression(bare)) {
    const declaration = source.symbolOf(compiler.isIdentifier(bare) ? bare : bare.name)?.valueDeclaration;
    const hasValue =
      declaration !== undefined &&
      (compiler.isVariableDeclaration(declaration) ||
        compiler.isPropertyAssignment(declaration) ||
        compiler.isPropertyDeclaration(declaration));
    return hasValue && declaration.initializer !== undefined
      ? staticText(declaration.initializer, source, depth + 1)
      : undefined;
  }
  return undefined;
}

/** Version of the listing that a URL belongs to. The first version has none in its URL, so the host must be known. */
export function listingOf(text: string | undefined): 2 | 3 | undefined {
  const version = /(?:^|[/\uFFFF])requests\/v([23])(?![\w-])/u.exec(text ?? "")?.[1];
  if (version !== undefined) return version === "2" ? 2 : 3;
  return isFirstListing(text) ? 2 : undefined;
}

export function isFirstListing(text: string | undefined): boolean {
  return /\brelay\.link\/requests\/?(?![\w/-])/u.test(text ?? "");
}

export function functionOf(symbol: ts.Symbol | undefined): ts.Node | undefined {
  const declaration = symbol?.valueDeclaration;
  if (declaration === undefined) return undefined;
  return compiler.isVariableDeclaration(declaration) ? declaration.initializer : declaration;
}

export function nameOfBinding({ propertyName, name }: ts.BindingElement): string | undefined {
  const key = propertyName ?? name;
  return compiler.isIdentifier(key) || compiler.isStringLiteralLike(key) ? key.text : undefined;
}

/** Returns the name of a property, `[]` for an index, and undefined for other nodes. */
export function nameOfAccess(node: ts.Node): string | undefined {
  if (compiler.isPropertyAccessExpression(node)) return node.name.text;
  if (!compiler.isElementAccessExpression(node)) return undefined;
  return compiler.isStringLiteralLike(node.argumentExpression) ? node.argumentExpression.text : "[]";
}

/** Returns the last name of an expression: `data` for both `record.data` and `data`. */
export function lastName(expression: ts.Node): string | undefined {
  const node = unwrap(expression);
  return compiler.isIdentifier(node) ? node.text : nameOfAccess(node);
}

export function nameOfPattern(pattern: ts.BindingPattern): string | undefined {
  const owner = pattern.parent;
  if (compiler.isBindingElement(owner)) return nameOfBinding(owner);
  return compiler.isVariableDeclaration(owner) && owner.initializer !== undefined
    ? lastName(owner.initializer)
    : undefined;
}

/** Returns a node without parentheses, type assertions, `!` and `await`. */
export function unwrap(node: ts.Node): ts.Node {
  let inner = node;
  while (
    compiler.isParenthesizedExpression(inner) ||
    compiler.isAsExpression(inner) ||
    compiler.isSatisfiesExpression(inner) ||
    compiler.isNonNullExpression(inner) ||
    compiler.isTypeAssertionExpression(inner) ||
    compiler.isAwaitExpression(inner)
  ) {
    inner = inner.expression;
  }
  return inner;
}
