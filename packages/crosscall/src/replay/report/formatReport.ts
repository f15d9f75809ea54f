import { zeroAddress } from "viem";

import type { Envelope } from "../envelope/envelope.ts";
import type { ReplayFinding, ReplayReport, TraceNode } from "../replayReport.ts";
import type { FillPlan } from "../fillPlan.ts";
import { accountTable, allowanceTable, balanceTable, pointTable, rangeTable, transferTable } from "./tables.ts";
import {
  envelopeFacts,
  circumstances,
  failureFacts,
  headlineOf,
  describeCall,
  describeLog,
  stepsOf,
} from "./summary.ts";
import { type Notation, notationOf, shown } from "./notation.ts";
import { factLines, sectionsText, tableLines } from "./sections.ts";

/** Maximum number of amounts to print. The ranges show the borders. */
const SHOWN_POINTS = 25;

/**
 * Formats a replay as text for a terminal: verdict with cause and hint, findings, call tree, transfers, balances and
 * allowances. Text from chains is escaped.
 */
export function formatReport(report: ReplayReport): string {
  const notation = notationOf(report);
  const { findings, trace, verdict, envelope, plan } = report;
  const sections = [
    [headlineOf(report), ...factLines(failureFacts(report, notation))],
    factLines(circumstances(report, notation)),
    ...(findings.length === 0
      ? []
      : [["Findings", ...findings.flatMap((finding) => toFindingLines(finding, notation))]]),
    [
      "Calls",
      ...formatTrace(trace, notation, verdict.outcome === "failure" ? verdict.path : undefined).map(
        (line) => `  ${line}`,
      ),
    ],
    tableLines(transferTable(report, notation)),
    tableLines(balanceTable(report, notation)),
    tableLines(allowanceTable(report, notation)),
    ...(envelope === undefined ? [] : toEnvelopeSections(envelope, plan, notation)),
    tableLines(accountTable(notation)),
  ];
  return sectionsText(sections);
}

function toFindingLines({ code, severity, txIndex, reason, hint, left }: ReplayFinding, notation: Notation): string[] {
  const place = txIndex === undefined ? "" : ` txs[${txIndex}]`;
  const amount =
    left === undefined ? "" : ` (${notation.amountOf(left.amount, left.currency)} of ${notation.nameOf(left.account)})`;
  return [`  ${severity} ${code}${place}: ${notation.textOf(reason)}${amount}`, `    ${notation.textOf(hint)}`];
}

export function formatEnvelope(envelope: Envelope, plan: FillPlan): string {
  return sectionsText(toEnvelopeSections(envelope, plan, notationOf({ names: {}, currencies: [] })));
}

function toEnvelopeSections(envelope: Envelope, plan: FillPlan, notation: Notation): string[][] {
  const shown = pickEvenly(envelope.points, SHOWN_POINTS);
  return [
    ["Envelope", ...factLines(envelopeFacts(envelope, plan, notation))],
    tableLines(rangeTable(envelope, plan, notation)),
    tableLines(pointTable(envelope, shown, plan, notation)),
  ];
}

function pickEvenly<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (items.length <= count) return items;
  const picked = new Set(
    Array.from({ length: count }, (_, index) => Math.round((index * (items.length - 1)) / (count - 1))),
  );
  return items.filter((_item, index) => picked.has(index));
}

/** Maximum number of lines to print. HTML and JSON contain all. */
const SHOWN_LINES = 300;
const SHOWN_CHARACTERS = 240;

/**
 * Formats an indented call tree with the kind, value, gas, result and error of each call, and events in order of
 * emission. Marks the cause of the failure.
 *
 * @param cause path of the call that caused the failure
 */
function formatTrace(root: TraceNode, notation: Notation, cause: readonly number[] | undefined): string[] {
  const lines: string[] = [];
  const add = (node: TraceNode, path: readonly number[]): void => {
    const isCause = cause?.length === path.length && cause.every((index, depth) => path[depth] === index);
    lines.push(`${"  ".repeat(path.length)}${toLine(node, notation)}${isCause ? "  <-- the cause" : ""}`);
    for (const step of stepsOf(node)) {
      if (step.kind === "call") add(step.node, [...path, step.index]);
      else lines.push(`${"  ".repeat(path.length + 1)}emits ${describeLog(step.log, notation)}`);
    }
  };
  add(root, []);
  if (lines.length <= SHOWN_LINES) return lines;
  return [...lines.slice(0, SHOWN_LINES), `… ${lines.length - SHOWN_LINES} more lines in the HTML page and the JSON`];
}

function toLine(node: TraceNode, notation: Notation): string {
  const { frame, result, error, isSwallowed, txIndex } = node;
  const parts = [
    ...(txIndex === undefined ? [] : [`txs[${txIndex}]`]),
    ...(frame.kind === "CALL" ? [] : [frame.kind.toLowerCase()]),
    cut(describeCall(node, notation)),
    ...(frame.value === 0n ? [] : [`with ${notation.amountOf(frame.value, zeroAddress)}`]),
    ...(result === undefined ? [] : [`-> ${cut(notation.textOf(result))}`]),
    `[${frame.gasUsed} gas]`,
    ...(error === undefined
      ? []
      : [`FAILS: ${cut(notation.textOf(error))}${isSwallowed ? " (the fill continues)" : ""}`]),
  ];
  return parts.join(" ");
}

function cut(text: string): string {
  return shown(text, SHOWN_CHARACTERS);
}
