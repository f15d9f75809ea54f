import { createHash } from "node:crypto";

import solc from "solc";

/** A condition that decides what runs next. Both of its outcomes must be seen. */
export interface BranchPoint {
  /** Where it stands in the source, in bytes. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Its first line, counted from 1. */
  readonly line: number;
  /** What is recorded when it is true, and when it is false: 32 bytes in hexadecimal digits. */
  readonly whenTrue: string;
  readonly whenFalse: string;
}

interface AstNode {
  readonly nodeType: string;
  readonly src: string;
  readonly [field: string]: unknown;
}

const DECISIONS: ReadonlySet<string> = new Set([
  "Conditional",
  "DoWhileStatement",
  "ForStatement",
  "IfStatement",
  "WhileStatement",
]);

/**
 * Finds the conditions of a source, in the order of the text: those of `if`, `?:` and loops, and the operands of `&&`
 * and `||` wherever they stand. A condition made of such operands counts by its operands, since theirs decide it.
 * `try` is not among them: its blocks are counted as lines. Nor is assembly.
 *
 * The records depend on the order only, so that they are the same for a source and for one with statements added.
 *
 * @throws Error when the source is no Solidity
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

// The package's own types say `any`.
const compile = solc.compile as (input: string) => string;

/** The nodes that a node makes a branch point: none of them is itself made of operands. */
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

/** Parentheses around one expression are a node of their own. */
function withoutParentheses(node: AstNode): AstNode {
  if (node.nodeType !== "TupleExpression" || !Array.isArray(node.components) || node.components.length !== 1)
    return node;
  const inner: unknown = node.components[0];
  return isNode(inner) ? withoutParentheses(inner) : node;
}

function recordOf(sourceName: string, index: number, outcome: boolean): string {
  return createHash("sha256").update(`${sourceName} ${index} ${outcome}`).digest("hex");
}

function rangeOf({ src }: AstNode): { start: number; end: number } {
  const [start = 0, length = 0] = src.split(":").map(Number);
  return { start, end: start + length };
}

function parse(sourceName: string, text: string): unknown {
  const input = {
    language: "Solidity",
    sources: { [sourceName]: { content: text } },
    settings: { stopAfter: "parsing", outputSelection: { "*": { "": ["ast"] } } },
  };
  const output = JSON.parse(compile(JSON.stringify(input))) as {
    sources?: Record<string, { ast: unknown }>;
    errors?: readonly { severity: string; formattedMessage: string }[];
  };
  const fault = output.errors?.find(({ severity }) => severity === "error");
  if (fault !== undefined) throw new Error(fault.formattedMessage);
  return output.sources?.[sourceName]?.ast;
}

function* nodesIn(value: unknown): Generator<AstNode> {
  if (typeof value !== "object" || value === null) return;
  if (isNode(value)) yield value;
  for (const child of Object.values(value)) yield* nodesIn(child);
}

function isNode(value: unknown): value is AstNode {
  return typeof value === "object" && value !== null && "nodeType" in value && "src" in value;
}
