import type ts from "typescript";

import { compiler } from "./compiler.ts";
import { confidenceOf, type Read, findRule, type ReadRule } from "./rules.ts";
import type { Flow, Position } from "./position.ts";
import { lastName, nameOfAccess, nameOfBinding } from "./parseSource.ts";

const REASONS = ["data.failReason", "data.refundFailReason"];
const EQUALITIES = new Map<ts.SyntaxKind, boolean>([
  [compiler.SyntaxKind.EqualsEqualsEqualsToken, true],
  [compiler.SyntaxKind.EqualsEqualsToken, true],
  [compiler.SyntaxKind.ExclamationEqualsEqualsToken, false],
  [compiler.SyntaxKind.ExclamationEqualsToken, false],
]);

/** Finds comparisons with `delayed` and `N/A`, which do not exist in v3. */
export function readOfValue(flow: Flow, node: ts.Node): Read | undefined {
  if (compiler.isCaseClause(node)) {
    const { expression: subject } = node.parent.parent;
    const read = readOf(flow, subject, node.expression);
    if (read === undefined) return undefined;
    const cases = read.values.map((value) => `case ${value}:`).join(" ");
    return { ...read.read, start: node.getStart(), code: `case ${node.expression.getText()}:`, replacement: cases };
  }
  if (!compiler.isBinaryExpression(node)) return undefined;
  const isEqual = EQUALITIES.get(node.operatorToken.kind);
  if (isEqual === undefined) return undefined;
  const { left, right } = node;
  const [subject, value] = compiler.isStringLiteralLike(left) ? [right, left] : [left, right];
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
  if (!compiler.isStringLiteralLike(value)) return undefined;
  const position = flow.positionOf(subject);
  const isRecord = position?.kind === "record" && position.version === 2;
  const path = isRecord ? position.path.join(".") : undefined;
  // Other services also have a `delayed` state, so the rest of the file decides.
  const isNamedStatus = position === undefined && lastName(subject) === "status";
  if (value.text === "delayed" && (path === "status" || isNamedStatus)) {
    const confidence = isRecord ? confidenceOf(position) : "likely";
    const reason = "v3 has the states depositing and submitted instead of delayed";
    return { read: { confidence, reads: "status delayed", reason }, values: ['"depositing"', '"submitted"'] };
  }
  if (value.text !== "N/A" || !isRecord || path === undefined || !REASONS.includes(path)) return undefined;
  const reason = "a missing reason is null in v3, not N/A";
  return { read: { confidence: confidenceOf(position), reads: `${path} N/A`, reason }, values: ["null"] };
}

type RecordPosition = Extract<Position, { kind: "record" }>;

/** Name of the record in a replacement, if the code has access to only a part of it. */
const ELSEWHERE = "record";

export function readOfRecord(flow: Flow, node: ts.Node): Read | undefined {
  if (compiler.isBindingElement(node)) return readOfBinding(flow, node);
  if (nameOfAccess(node) === undefined) return undefined;
  const position = recordAt(flow, node);
  const rule = position && ruleAt(position, flow, node);
  if (position === undefined || rule === undefined) return undefined;
  return {
    start: node.getStart(),
    code: node.getText(),
    confidence: confidenceOf(position),
    reads: readable(rule.from),
    replacement: wrapped(rule, replaceAccess(node, position.path, rule)),
    reason: rule.reason,
  };
}

function readOfBinding(flow: Flow, element: ts.BindingElement): Read | undefined {
  const position = flow.positionOfBinding(element);
  if (position?.kind !== "record" || position.version !== 2 || element.dotDotDotToken !== undefined) return undefined;
  const rule = findRule(position.path);
  if (rule === undefined || nameOfBinding(element) === undefined) return undefined;
  return {
    start: element.getStart(),
    code: element.getText(),
    confidence: confidenceOf(position),
    reads: readable(rule.from),
    replacement: replaceBinding(element, position.path, rule),
    reason: rule.reason,
  };
}

function recordAt(flow: Flow, node: ts.Node): RecordPosition | undefined {
  const position = flow.positionOf(node);
  return position?.kind === "record" && position.version === 2 ? position : undefined;
}

/**
 * Finds the rule for a path. Finds none if the code continues to a longer path with its own rule, or already handles
 * v3.
 */
function ruleAt(position: RecordPosition, flow: Flow, node: ts.Node): ReadRule | undefined {
  const rule = findRule(position.path);
  if (rule === undefined) return undefined;
  let outer = outerOf(node);
  if (outer !== undefined && rule.unless?.includes(nameOfAccess(outer) ?? "") === true) return undefined;
  for (; outer !== undefined; outer = outerOf(outer)) {
    const further = recordAt(flow, outer);
    if (further !== undefined && findRule(further.path) !== undefined) return undefined;
  }
  return rule;
}

function outerOf(node: ts.Node): ts.Node | undefined {
  let parent = node.parent;
  while (compiler.isNonNullExpression(parent) || compiler.isParenthesizedExpression(parent)) parent = parent.parent;
  if (!compiler.isPropertyAccessExpression(parent) && !compiler.isElementAccessExpression(parent)) return undefined;
  // The node can be an index of its parent.
  return node.end <= parent.expression.end ? parent : undefined;
}

/** Formats the replacement of an access, from the nearest common part of both paths. */
function replaceAccess(node: ts.Node, path: readonly string[], rule: ReadRule): string {
  const wanted = keysOf(rule.to);
  let known = path;
  // Whether a removed link other than the first is optional.
  let isFirstOptional = false;
  let isOptional = rule.isOptional === true;
  for (let part = node; ;) {
    if (part !== node && isPrefix(known, wanted)) {
      return part.getText() + toAccess(wanted.slice(known.length), isFirstOptional, isOptional || isFirstOptional);
    }
    if (compiler.isPropertyAccessExpression(part) || compiler.isElementAccessExpression(part)) {
      if (known.length === 0) return ELSEWHERE + toAccess(wanted, false, isOptional);
      isOptional ||= isFirstOptional;
      isFirstOptional = part.questionDotToken !== undefined;
      known = known.slice(0, -1);
      part = part.expression;
    } else if (compiler.isNonNullExpression(part) || compiler.isParenthesizedExpression(part)) {
      part = part.expression;
    } else {
      return ELSEWHERE + toAccess(wanted, false, isOptional || isFirstOptional);
    }
  }
}

function toAccess(names: readonly string[], isFirstOptional: boolean, isOptional: boolean): string {
  return names.map((name, index) => `${(index === 0 ? isFirstOptional : isOptional) ? "?." : "."}${name}`).join("");
}

function replaceBinding(element: ts.BindingElement, path: readonly string[], rule: ReadRule): string {
  const local = element.name.getText();
  const fallback = element.initializer === undefined ? "" : ` = ${element.initializer.getText()}`;
  const wanted = keysOf(rule.to);
  const container = path.slice(0, -1);
  if (rule.wrap !== undefined || !isPrefix(container, wanted)) {
    return `${local} = ${wrapped(rule, ELSEWHERE + toAccess(wanted, false, rule.isOptional === true))}`;
  }
  return nest(wanted.slice(container.length), local, fallback);
}

/** Formats a destructuring pattern: `a: { b: local }` for the names a and b. */
function nest([name = "", ...inner]: readonly string[], local: string, fallback: string): string {
  if (inner.length > 0) return `${name}: { ${nest(inner, local, fallback)} }`;
  return name === local ? local + fallback : `${name}: ${local}${fallback}`;
}

function wrapped({ wrap }: ReadRule, value: string): string {
  return wrap === undefined ? value : wrap(value);
}

function keysOf(path: string): string[] {
  return path.split(".");
}

function isPrefix(path: readonly string[], of: readonly string[]): boolean {
  return path.length < of.length && path.every((key, index) => key === of[index]);
}

/** Formats a path for display: `data.inTxs[].hash`. */
function readable(path: string): string {
  return path.replaceAll(".[]", "[]");
}
