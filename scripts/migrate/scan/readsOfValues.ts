import ts from "typescript";

import { confidenceOf, type Read } from "./finding.ts";
import type { Flow } from "./flow.ts";
import { lastName } from "./names.ts";

const REASONS = ["data.failReason", "data.refundFailReason"];
const EQUALITIES = new Map<ts.SyntaxKind, boolean>([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, true],
  [ts.SyntaxKind.EqualsEqualsToken, true],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, false],
  [ts.SyntaxKind.ExclamationEqualsToken, false],
]);

/** Comparisons with `delayed` and `N/A`, which v3 does not have. */
export function readOfValue(flow: Flow, node: ts.Node): Read | undefined {
  if (ts.isCaseClause(node)) {
    const { expression: subject } = node.parent.parent;
    const read = readOf(flow, subject, node.expression);
    if (read === undefined) return undefined;
    const cases = read.values.map((value) => `case ${value}:`).join(" ");
    return { ...read.read, start: node.getStart(), code: `case ${node.expression.getText()}:`, replacement: cases };
  }
  if (!ts.isBinaryExpression(node)) return undefined;
  const isEqual = EQUALITIES.get(node.operatorToken.kind);
  if (isEqual === undefined) return undefined;
  const { left, right } = node;
  const [subject, value] = ts.isStringLiteralLike(left) ? [right, left] : [left, right];
  const read = readOf(flow, subject, value);
  if (read === undefined) return undefined;
  const comparisons = read.values.map((other) => `${subject.getText()} ${isEqual ? "===" : "!=="} ${other}`);
  const replacement = comparisons.join(isEqual ? " || " : " && ");
  return { ...read.read, start: node.getStart(), code: node.getText(), replacement };
}

interface ValueRead {
  readonly read: Pick<Read, "confidence" | "reads" | "reason">;
  /** Code for v3. */
  readonly values: readonly string[];
}

function readOf(flow: Flow, subject: ts.Expression, value: ts.Expression): ValueRead | undefined {
  if (!ts.isStringLiteralLike(value)) return undefined;
  const position = flow.positionOf(subject);
  const isRecord = position?.kind === "record" && position.version === 2;
  const path = isRecord ? position.path.join(".") : undefined;
  // Other services have delayed states too, so the rest of the file decides.
  const isNamedStatus = position === undefined && lastName(subject) === "status";
  if (value.text === "delayed" && (path === "status" || isNamedStatus)) {
    const confidence = isRecord ? confidenceOf(position) : "likely";
    const reason = "v3 has depositing and submitted instead of delayed";
    return { read: { confidence, reads: "status delayed", reason }, values: ['"depositing"', '"submitted"'] };
  }
  if (value.text !== "N/A" || !isRecord || path === undefined || !REASONS.includes(path)) return undefined;
  const reason = "no reason is null in v3, not N/A";
  return { read: { confidence: confidenceOf(position), reads: `${path} N/A`, reason }, values: ["null"] };
}
