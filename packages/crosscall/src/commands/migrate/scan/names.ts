import ts from "typescript";

import type { Source } from "./parseSource.ts";

/** Placeholder for parts of a text that are known only at run time. */
const UNKNOWN = "\uFFFF";

const MAX_DEPTH = 8;

/**
 * Undefined if the expression is not a text.
 *
 * @param source resolves names; absent to read literals only
 */
export function staticText(node: ts.Node, source?: Source, depth = 0): string | undefined {
  const bare = unwrap(node);
  const partOf = (part: ts.Node): string => staticText(part, source, depth + 1) ?? UNKNOWN;
  if (depth > MAX_DEPTH) return undefined;
  if (ts.isStringLiteralLike(bare)) return bare.text;
  if (ts.isTemplateExpression(bare)) {
    return bare.head.text + bare.templateSpans.map((span) => partOf(span.expression) + span.literal.text).join("");
  }
  if (ts.isBinaryExpression(bare) && bare.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    return partOf(bare.left) + partOf(bare.right);
  }
  if (source === undefined) return undefined;
  if (ts.isNewExpression(bare) && bare.expression.getText() === "URL") {
    const [url, base] = bare.arguments ?? [];
    const texts = [url, base].flatMap((part) => (part === undefined ? [] : [partOf(part)]));
    return texts.length === 0 ? undefined : texts.toReversed().join("");
  }
  if (ts.isIdentifier(bare) || ts.isPropertyAccessExpression(bare)) {
    const declaration = source.symbolOf(ts.isIdentifier(bare) ? bare : bare.name)?.valueDeclaration;
    const hasValue =
      declaration !== undefined &&
      (ts.isVariableDeclaration(declaration) ||
        ts.isPropertyAssignment(declaration) ||
        ts.isPropertyDeclaration(declaration));
    return hasValue && declaration.initializer !== undefined
      ? staticText(declaration.initializer, source, depth + 1)
      : undefined;
  }
  return undefined;
}

export function listingOf(text: string | undefined): 2 | 3 | undefined {
  const version = /(?:^|[/\uFFFF])requests\/v([23])(?![\w-])/u.exec(text ?? "")?.[1];
  return version === undefined ? undefined : version === "2" ? 2 : 3;
}

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

/** Without parentheses, type assertions, `!` and `await`. */
export function unwrap(node: ts.Node): ts.Node {
  let inner = node;
  while (
    ts.isParenthesizedExpression(inner) ||
    ts.isAsExpression(inner) ||
    ts.isSatisfiesExpression(inner) ||
    ts.isNonNullExpression(inner) ||
    ts.isTypeAssertionExpression(inner) ||
    ts.isAwaitExpression(inner)
  ) {
    inner = inner.expression;
  }
  return inner;
}
