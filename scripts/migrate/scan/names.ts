import ts from "typescript";

import { unwrap } from "./unwrap.ts";

export function functionOf(symbol: ts.Symbol | undefined): ts.Node | undefined {
  const declaration = symbol?.valueDeclaration;
  if (declaration === undefined) return undefined;
  return ts.isVariableDeclaration(declaration) ? declaration.initializer : declaration;
}

export function nameOfBinding({ propertyName, name }: ts.BindingElement): string | undefined {
  const key = propertyName ?? name;
  return ts.isIdentifier(key) || ts.isStringLiteralLike(key) ? key.text : undefined;
}

/** `[]` for an index; undefined for other nodes. */
export function nameOfAccess(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (!ts.isElementAccessExpression(node)) return undefined;
  return ts.isStringLiteralLike(node.argumentExpression) ? node.argumentExpression.text : "[]";
}

/** `data` for `record.data` and `data`. */
export function lastName(expression: ts.Node): string | undefined {
  const node = unwrap(expression);
  return ts.isIdentifier(node) ? node.text : nameOfAccess(node);
}

export function nameOfPattern(pattern: ts.BindingPattern): string | undefined {
  const owner = pattern.parent;
  if (ts.isBindingElement(owner)) return nameOfBinding(owner);
  return ts.isVariableDeclaration(owner) && owner.initializer !== undefined ? lastName(owner.initializer) : undefined;
}
