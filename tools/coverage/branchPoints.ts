import { createHash } from "node:crypto";

import { type AstNode, isNode, nodesIn, parse, rangeOf } from "../solidity/syntaxTree.ts";

/** Both outcomes must be covered. */
export interface BranchPoint {
  /** Byte offset in the source. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** Recorded when true and when false: 32 bytes of hex digits. */
  readonly whenTrue: string;
  readonly whenFalse: string;
}

const DECISIONS: ReadonlySet<string> = new Set([
  "Conditional",
  "DoWhileStatement",
  "ForStatement",
  "IfStatement",
  "WhileStatement",
]);

/**
 * Conditions in the order of the source: of `if`, `?:` and loops, and operands of `&&` and `||`. A condition of such
 * operands counts by its operands. `try` counts by the lines of its blocks; assembly does not count. Records depend on
 * the order only, so they are the same for a source with added statements.
 *
 * @throws Error if the source does not parse
 */
export function branchPoints(sourceName: string, text: string): readonly BranchPoint[] {
  const conditions = new Map<string, AstNode>();
  for (const node of nodesIn(parse(sourceName, text))) {
    for (const condition of conditionsOf(node)) conditions.set(condition.src, condition);
  }
  const bytes = Buffer.from(text);
  return [...conditions.values()]
    .map(rangeOf)
    .sort((left, right) => left.start - right.start || right.end - left.end)
    .map(({ start, end }, index) => ({
      start,
      end,
      text: bytes.subarray(start, end).toString(),
      line: bytes.subarray(0, start).toString().split("\n").length,
      whenTrue: recordOf(sourceName, index, true),
      whenFalse: recordOf(sourceName, index, false),
    }));
}

/** The operands of a condition, or itself. */
function conditionsOf(node: AstNode): readonly AstNode[] {
  const found = DECISIONS.has(node.nodeType) ? [node.condition] : isJunction(node) ? operandsOf(node) : [];
  return found.filter(isNode).filter((condition) => !isJunction(withoutParentheses(condition)));
}

function isJunction(node: AstNode): boolean {
  return node.nodeType === "BinaryOperation" && (node.operator === "&&" || node.operator === "||");
}

function operandsOf(node: AstNode): readonly unknown[] {
  return [node.leftExpression, node.rightExpression];
}

function withoutParentheses(node: AstNode): AstNode {
  if (node.nodeType !== "TupleExpression" || !Array.isArray(node.components) || node.components.length !== 1)
    return node;
  const inner: unknown = node.components[0];
  return isNode(inner) ? withoutParentheses(inner) : node;
}

function recordOf(sourceName: string, index: number, outcome: boolean): string {
  return createHash("sha256").update(`${sourceName} ${index} ${outcome}`).digest("hex");
}
