import type ts from "typescript";

import { compiler } from "./compiler.ts";
import { type Flow, guessPosition, type Position, stepInto } from "./position.ts";
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
  type Source,
} from "./parseSource.ts";

export function followValues(source: Source): Flow {
  return new SourceFlow(source);
}

class SourceFlow implements Flow {
  readonly source: Source;
  /** Positions by node. A node is undefined while it is visited, which ends cycles. */
  readonly #known = new Map<ts.Node, Position | undefined>();
  readonly #results = new Map<ts.Node, Position | undefined>();
  /** Names that are being looked up in object literals. */
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
    if (compiler.isIdentifier(node)) return this.positionOfResult(functionOf(this.source.symbolOf(node)));
    const body = compiler.isFunctionLike(node) && "body" in node ? node.body : undefined;
    if (body === undefined) return undefined;
    return compiler.isBlock(body) ? this.#firstResult(body) : this.positionOf(body);
  }

  #findBinding(element: ts.BindingElement): Position | undefined {
    const pattern = element.parent;
    if (compiler.isArrayBindingPattern(pattern)) {
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
    if (compiler.isIdentifier(node)) {
      return this.#positionOfSymbol(this.source.symbolOf(node)) ?? guessPosition(undefined, node.text);
    }
    if (compiler.isPropertyAccessExpression(node) || compiler.isElementAccessExpression(node)) {
      return this.#read(node, node.expression, nameOfAccess(node) ?? "[]");
    }
    if (compiler.isCallExpression(node)) return positionOfCall(this, node);
    if (compiler.isNewExpression(node)) return this.#firstOf(node.arguments ?? []);
    if (compiler.isConditionalExpression(node)) return this.#firstOf([node.whenTrue, node.whenFalse]);
    if (compiler.isObjectLiteralExpression(node)) return { kind: "object", node };
    if (compiler.isArrayLiteralExpression(node)) return this.#positionOfArray(node);
    if (compiler.isBinaryExpression(node)) return this.#positionOfOperation(node);
    return undefined;
  }

  #read(node: ts.Node, object: ts.Expression, name: string): Position | undefined {
    const base = this.positionOf(object);
    if (base !== undefined && base.kind !== "object") return this.step(base, name);
    const known = base && this.step(base, name);
    if (known !== undefined) return known;
    // Handles a field of a class or object in this file.
    const symbol = compiler.isPropertyAccessExpression(node) ? this.source.symbolOf(node.name) : undefined;
    return this.#positionOfSymbol(symbol) ?? guessPosition(lastName(object), name);
  }

  #positionOfSymbol(symbol: ts.Symbol | undefined): Position | undefined {
    const declaration = symbol?.declarations?.[0];
    if (symbol === undefined || declaration === undefined) return undefined;
    return this.#positionOfDeclaration(declaration) ?? this.#firstOf(this.source.assignmentsOf(symbol));
  }

  #positionOfDeclaration(declaration: ts.Declaration): Position | undefined {
    if (compiler.isBindingElement(declaration)) return this.positionOfBinding(declaration);
    if (compiler.isParameter(declaration)) return this.#positionOfParameter(declaration);
    if (compiler.isVariableDeclaration(declaration)) return this.#positionOfVariable(declaration);
    if (compiler.isPropertyDeclaration(declaration) || compiler.isPropertyAssignment(declaration)) {
      return declaration.initializer && this.positionOf(declaration.initializer);
    }
    return undefined;
  }

  #positionOfParameter(parameter: ts.ParameterDeclaration): Position | undefined {
    return this.#once(parameter, () => positionOfParameter(this, parameter));
  }

  #positionOfVariable(declaration: ts.VariableDeclaration): Position | undefined {
    const statement = declaration.parent.parent;
    if (compiler.isForOfStatement(statement)) {
      const list = this.positionOf(statement.expression);
      return list && this.step(list, "[]");
    }
    return declaration.initializer && this.positionOf(declaration.initializer);
  }

  #positionOfPattern(pattern: ts.BindingPattern): Position | undefined {
    const owner = pattern.parent;
    if (compiler.isBindingElement(owner)) return this.positionOfBinding(owner);
    if (compiler.isParameter(owner)) return this.#positionOfParameter(owner);
    return this.#positionOfVariable(owner);
  }

  /** Handles `const [value, setValue] = useState()`: the value is the setter's argument. */
  #positionOfState(pattern: ts.ArrayBindingPattern, element: ts.BindingElement): Position | undefined {
    const [value, setter] = pattern.elements;
    if (element !== value || setter === undefined || !compiler.isBindingElement(setter)) return undefined;
    const symbol = this.source.symbolOf(setter.name);
    const calls = symbol === undefined ? [] : this.source.callsOf(symbol);
    for (const { arguments: values } of calls) {
      const [given] = values;
      const position = given && (this.positionOf(given) ?? this.positionOfResult(given));
      if (position !== undefined && position.kind !== "object") return position;
    }
    return undefined;
  }

  /** Handles `const [a, b] = [x, y]`, even with `Promise.all`. */
  #positionOfEntry(pattern: ts.ArrayBindingPattern, element: ts.BindingElement): Position | undefined {
    const { parent } = pattern;
    if (!compiler.isVariableDeclaration(parent) || parent.initializer === undefined) return undefined;
    const value = unwrap(parent.initializer);
    const isAll = compiler.isCallExpression(value) && value.expression.getText() === "Promise.all";
    const list = isAll ? value.arguments[0] : value;
    if (list === undefined || !compiler.isArrayLiteralExpression(list)) return undefined;
    const entry = list.elements[pattern.elements.indexOf(element)];
    return entry && this.positionOf(entry);
  }

  #positionOfArray(node: ts.ArrayLiteralExpression): Position | undefined {
    for (const item of node.elements) {
      if (compiler.isSpreadElement(item)) {
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
      compiler.SyntaxKind.BarBarToken,
      compiler.SyntaxKind.QuestionQuestionToken,
      compiler.SyntaxKind.AmpersandAmpersandToken,
    ].includes(node.operatorToken.kind);
    // The value of `a && a.b` is the right side. For other operators, it is usually the left side.
    if (node.operatorToken.kind === compiler.SyntaxKind.AmpersandAmpersandToken) return this.positionOf(node.right);
    if (isChoice) return this.#firstOf([node.left, node.right]);
    return node.operatorToken.kind === compiler.SyntaxKind.EqualsToken ? this.positionOf(node.right) : undefined;
  }

  #stepIntoOnce(node: ts.ObjectLiteralExpression, name: string): Position | undefined {
    // In `state = { ...state, name }`, a value spreads itself.
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
      if (compiler.isPropertyAssignment(property) && property.name.getText() === name) {
        return this.positionOf(property.initializer);
      }
      if (compiler.isShorthandPropertyAssignment(property) && property.name.text === name) {
        return this.#positionOfSymbol(this.source.symbolOf(property));
      }
    }
    for (const property of node.properties) {
      const spread = compiler.isSpreadAssignment(property) ? this.positionOf(property.expression) : undefined;
      if (spread !== undefined) return this.step(spread, name);
    }
    return undefined;
  }

  #stepIntoProps(usages: readonly ts.JsxOpeningLikeElement[], name: string): Position | undefined {
    for (const { attributes } of usages) {
      for (const attribute of attributes.properties) {
        if (!compiler.isJsxAttribute(attribute) || attribute.name.getText() !== name) continue;
        const { initializer } = attribute;
        const value =
          initializer !== undefined && compiler.isJsxExpression(initializer) ? initializer.expression : undefined;
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

  /** Finds the returned and yielded values of a body, without those of nested functions. */
  #firstResult(body: ts.Node): Position | undefined {
    const seek = (node: ts.Node): Position | undefined => {
      if (compiler.isFunctionLike(node)) return undefined;
      if (compiler.isReturnStatement(node) && node.expression !== undefined) {
        const position = this.positionOf(node.expression);
        if (position !== undefined) return position;
      }
      if (compiler.isYieldExpression(node) && node.expression !== undefined) {
        const position = this.positionOf(node.expression);
        if (position !== undefined) {
          return node.asteriskToken === undefined ? { kind: "list", element: position } : position;
        }
      }
      return compiler.forEachChild(node, seek);
    };
    return compiler.forEachChild(body, seek);
  }
}
