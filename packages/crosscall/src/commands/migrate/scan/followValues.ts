import ts from "typescript";

import type { Flow } from "./flow.ts";
import { positionOfCall, positionOfParameter } from "./flowOfCalls.ts";
import {
  functionOf,
  lastName,
  listingOf,
  nameOfAccess,
  nameOfBinding,
  nameOfPattern,
  staticText,
  unwrap,
} from "./names.ts";
import type { Source } from "./parseSource.ts";
import { guessPosition, type Position, stepInto } from "./position.ts";

export function followValues(source: Source): Flow {
  return new SourceFlow(source);
}

class SourceFlow implements Flow {
  readonly source: Source;
  /** Undefined while a node is visited, which ends cycles. */
  readonly #known = new Map<ts.Node, Position | undefined>();
  readonly #results = new Map<ts.Node, Position | undefined>();
  /** Names being looked up in object literals. */
  readonly #open = new Map<ts.Node, Set<string>>();

  constructor(source: Source) {
    this.source = source;
  }

  positionOf(expression: ts.Node): Position | undefined {
    const node = unwrap(expression);
    return this.#once(node, () => this.#find(node));
  }

  positionOfBinding(element: ts.BindingElement): Position | undefined {
    return this.#once(element, () => this.#findBinding(element));
  }

  step(position: Position, name: string): Position | undefined {
    if (position.kind === "object") return this.#stepIntoOnce(position.node, name);
    if (position.kind === "props") return this.#stepIntoProps(position.usages, name);
    return stepInto(position, name);
  }

  positionOfResult(callback: ts.Node | undefined): Position | undefined {
    const node = callback && unwrap(callback);
    return node && this.#once(node, () => this.#findResult(node), this.#results);
  }

  #once(node: ts.Node, find: () => Position | undefined, known = this.#known): Position | undefined {
    if (!known.has(node)) {
      known.set(node, undefined);
      known.set(node, find());
    }
    return known.get(node);
  }

  #findResult(node: ts.Node): Position | undefined {
    if (ts.isIdentifier(node)) return this.positionOfResult(functionOf(this.source.symbolOf(node)));
    const body = ts.isFunctionLike(node) && "body" in node ? node.body : undefined;
    if (body === undefined) return undefined;
    return ts.isBlock(body) ? this.#firstResult(body) : this.positionOf(body);
  }

  #findBinding(element: ts.BindingElement): Position | undefined {
    const pattern = element.parent;
    if (ts.isArrayBindingPattern(pattern)) {
      const given = this.#positionOfState(pattern, element) ?? this.#positionOfEntry(pattern, element);
      if (given !== undefined) return given;
      const list = this.#positionOfPattern(pattern);
      return list && this.step(list, "[]");
    }
    const base = this.#positionOfPattern(pattern);
    if (element.dotDotDotToken !== undefined) return base;
    const name = nameOfBinding(element);
    if (name === undefined) return undefined;
    return base === undefined ? guessPosition(nameOfPattern(pattern), name) : this.step(base, name);
  }

  #find(node: ts.Node): Position | undefined {
    const listing = listingOf(staticText(node, this.source));
    if (listing !== undefined) return { kind: "url", version: listing, isCertain: true };
    if (ts.isIdentifier(node)) {
      return this.#positionOfSymbol(this.source.symbolOf(node)) ?? guessPosition(undefined, node.text);
    }
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
      return this.#read(node, node.expression, nameOfAccess(node) ?? "[]");
    }
    if (ts.isCallExpression(node)) return positionOfCall(this, node);
    if (ts.isNewExpression(node)) return this.#firstOf(node.arguments ?? []);
    if (ts.isConditionalExpression(node)) return this.#firstOf([node.whenTrue, node.whenFalse]);
    if (ts.isObjectLiteralExpression(node)) return { kind: "object", node };
    if (ts.isArrayLiteralExpression(node)) return this.#positionOfArray(node);
    if (ts.isBinaryExpression(node)) return this.#positionOfOperation(node);
    return undefined;
  }

  #read(node: ts.Node, object: ts.Expression, name: string): Position | undefined {
    const base = this.positionOf(object);
    if (base !== undefined && base.kind !== "object") return this.step(base, name);
    const known = base && this.step(base, name);
    if (known !== undefined) return known;
    // A field of a class or object in this file.
    const symbol = ts.isPropertyAccessExpression(node) ? this.source.symbolOf(node.name) : undefined;
    return this.#positionOfSymbol(symbol) ?? guessPosition(lastName(object), name);
  }

  #positionOfSymbol(symbol: ts.Symbol | undefined): Position | undefined {
    const declaration = symbol?.declarations?.[0];
    if (symbol === undefined || declaration === undefined) return undefined;
    return this.#positionOfDeclaration(declaration) ?? this.#firstOf(this.source.assignmentsOf(symbol));
  }

  #positionOfDeclaration(declaration: ts.Declaration): Position | undefined {
    if (ts.isBindingElement(declaration)) return this.positionOfBinding(declaration);
    if (ts.isParameter(declaration)) return this.#positionOfParameter(declaration);
    if (ts.isVariableDeclaration(declaration)) return this.#positionOfVariable(declaration);
    if (ts.isPropertyDeclaration(declaration) || ts.isPropertyAssignment(declaration)) {
      return declaration.initializer && this.positionOf(declaration.initializer);
    }
    return undefined;
  }

  #positionOfParameter(parameter: ts.ParameterDeclaration): Position | undefined {
    return this.#once(parameter, () => positionOfParameter(this, parameter));
  }

  #positionOfVariable(declaration: ts.VariableDeclaration): Position | undefined {
    const statement = declaration.parent.parent;
    if (ts.isForOfStatement(statement)) {
      const list = this.positionOf(statement.expression);
      return list && this.step(list, "[]");
    }
    return declaration.initializer && this.positionOf(declaration.initializer);
  }

  #positionOfPattern(pattern: ts.BindingPattern): Position | undefined {
    const owner = pattern.parent;
    if (ts.isBindingElement(owner)) return this.positionOfBinding(owner);
    if (ts.isParameter(owner)) return this.#positionOfParameter(owner);
    return this.#positionOfVariable(owner);
  }

  /** `const [value, setValue] = useState()`: the value is the setter's argument. */
  #positionOfState(pattern: ts.ArrayBindingPattern, element: ts.BindingElement): Position | undefined {
    const [value, setter] = pattern.elements;
    if (element !== value || setter === undefined || !ts.isBindingElement(setter)) return undefined;
    const symbol = this.source.symbolOf(setter.name);
    const calls = symbol === undefined ? [] : this.source.callsOf(symbol);
    for (const { arguments: values } of calls) {
      const [given] = values;
      const position = given && (this.positionOf(given) ?? this.positionOfResult(given));
      if (position !== undefined && position.kind !== "object") return position;
    }
    return undefined;
  }

  /** `const [a, b] = [x, y]`, also with `Promise.all`. */
  #positionOfEntry(pattern: ts.ArrayBindingPattern, element: ts.BindingElement): Position | undefined {
    const { parent } = pattern;
    if (!ts.isVariableDeclaration(parent) || parent.initializer === undefined) return undefined;
    const value = unwrap(parent.initializer);
    const isAll = ts.isCallExpression(value) && value.expression.getText() === "Promise.all";
    const list = isAll ? value.arguments[0] : value;
    if (list === undefined || !ts.isArrayLiteralExpression(list)) return undefined;
    const entry = list.elements[pattern.elements.indexOf(element)];
    return entry && this.positionOf(entry);
  }

  #positionOfArray(node: ts.ArrayLiteralExpression): Position | undefined {
    for (const item of node.elements) {
      if (ts.isSpreadElement(item)) {
        const list = this.positionOf(item.expression);
        if (list !== undefined) return list;
      }
      const element = this.positionOf(item);
      if (element !== undefined) return { kind: "list", element };
    }
    return undefined;
  }

  #positionOfOperation(node: ts.BinaryExpression): Position | undefined {
    const isChoice = [
      ts.SyntaxKind.BarBarToken,
      ts.SyntaxKind.QuestionQuestionToken,
      ts.SyntaxKind.AmpersandAmpersandToken,
    ].includes(node.operatorToken.kind);
    // `a && a.b` is its right side; for other operators, the left side is the usual value.
    if (node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken) return this.positionOf(node.right);
    if (isChoice) return this.#firstOf([node.left, node.right]);
    return node.operatorToken.kind === ts.SyntaxKind.EqualsToken ? this.positionOf(node.right) : undefined;
  }

  #stepIntoOnce(node: ts.ObjectLiteralExpression, name: string): Position | undefined {
    // `state = { ...state, name }` spreads itself.
    const open = this.#open.get(node) ?? new Set();
    if (open.has(name)) return undefined;
    this.#open.set(node, open.add(name));
    try {
      return this.#stepIntoObject(node, name);
    } finally {
      open.delete(name);
    }
  }

  #stepIntoObject(node: ts.ObjectLiteralExpression, name: string): Position | undefined {
    for (const property of node.properties) {
      if (ts.isPropertyAssignment(property) && property.name.getText() === name) {
        return this.positionOf(property.initializer);
      }
      if (ts.isShorthandPropertyAssignment(property) && property.name.text === name) {
        return this.#positionOfSymbol(this.source.symbolOf(property));
      }
    }
    for (const property of node.properties) {
      const spread = ts.isSpreadAssignment(property) ? this.positionOf(property.expression) : undefined;
      if (spread !== undefined) return this.step(spread, name);
    }
    return undefined;
  }

  #stepIntoProps(usages: readonly ts.JsxOpeningLikeElement[], name: string): Position | undefined {
    for (const { attributes } of usages) {
      for (const attribute of attributes.properties) {
        if (!ts.isJsxAttribute(attribute) || attribute.name.getText() !== name) continue;
        const { initializer } = attribute;
        const value = initializer !== undefined && ts.isJsxExpression(initializer) ? initializer.expression : undefined;
        const position = value && this.positionOf(value);
        if (position !== undefined) return position;
      }
    }
    return undefined;
  }

  #firstOf(nodes: readonly ts.Node[]): Position | undefined {
    for (const node of nodes) {
      const position = this.positionOf(node);
      if (position !== undefined) return position;
    }
    return undefined;
  }

  /** Returns and yields of a body, without nested functions. */
  #firstResult(body: ts.Node): Position | undefined {
    const seek = (node: ts.Node): Position | undefined => {
      if (ts.isFunctionLike(node)) return undefined;
      if (ts.isReturnStatement(node) && node.expression !== undefined) {
        const position = this.positionOf(node.expression);
        if (position !== undefined) return position;
      }
      if (ts.isYieldExpression(node) && node.expression !== undefined) {
        const position = this.positionOf(node.expression);
        if (position !== undefined) {
          return node.asteriskToken === undefined ? { kind: "list", element: position } : position;
        }
      }
      return ts.forEachChild(node, seek);
    };
    return ts.forEachChild(body, seek);
  }
}
