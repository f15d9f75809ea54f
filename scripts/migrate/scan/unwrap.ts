import ts from "typescript";

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
