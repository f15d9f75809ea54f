import type { Envelope } from "../envelope/envelope.ts";
import type { ReplayFinding } from "../finding.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { ReplayReport } from "../replayReport.ts";
import { toColumns } from "./columns.ts";
import { envelopeFacts } from "./envelopeFacts.ts";
import { formatTrace } from "./formatTrace.ts";
import { type Notation, notationOf } from "./notation.ts";
import { circumstances, type Fact, failureFacts, headlineOf } from "./summary.ts";
import {
  accountTable,
  allowanceTable,
  balanceTable,
  pointTable,
  rangeTable,
  type Table,
  transferTable,
} from "./tables.ts";

/** A terminal shows at most this many amounts; the ranges show the borders. */
const SHOWN_POINTS = 25;

/**
 * Formats a replay as text for a terminal: verdict with cause and hint, findings, call tree, transfers, balances and
 * allowances. Text from chains is escaped.
 */
export function formatReport(report: ReplayReport): string {
  const notation = notationOf(report);
  const { findings, trace, verdict, envelope, plan } = report;
  const sections = [
    [headlineOf(report), ...toLines(failureFacts(report, notation))],
    toLines(circumstances(report, notation)),
    ...(findings.length === 0
      ? []
      : [["Findings", ...findings.flatMap((finding) => toFindingLines(finding, notation))]]),
    [
      "Calls",
      ...formatTrace(trace, notation, verdict.outcome === "failure" ? verdict.path : undefined).map(
        (line) => `  ${line}`,
      ),
    ],
    toSection(transferTable(report, notation)),
    toSection(balanceTable(report, notation)),
    toSection(allowanceTable(report, notation)),
    ...(envelope === undefined ? [] : toEnvelopeSections(envelope, plan, notation)),
    toSection(accountTable(notation)),
  ];
  return toText(sections);
}

function toText(sections: readonly (readonly string[])[]): string {
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function toLines(facts: readonly Fact[]): string[] {
  const width = Math.max(0, ...facts.map(({ label }) => label.length));
  return facts.map(({ label, text }) => `  ${label.padEnd(width)}  ${text}`);
}

function toSection(table: Table): string[] {
  return table.rows.length === 0
    ? []
    : [table.title, ...toColumns(table.columns, table.rows).map((line) => `  ${line}`)];
}

function toFindingLines({ code, severity, txIndex, reason, hint, left }: ReplayFinding, notation: Notation): string[] {
  const place = txIndex === undefined ? "" : ` txs[${txIndex}]`;
  const amount =
    left === undefined ? "" : ` (${notation.amountOf(left.amount, left.currency)} of ${notation.nameOf(left.account)})`;
  return [`  ${severity} ${code}${place}: ${notation.textOf(reason)}${amount}`, `    ${notation.textOf(hint)}`];
}

export function formatEnvelope(envelope: Envelope, plan: FillPlan): string {
  return toText(toEnvelopeSections(envelope, plan, notationOf({ names: {}, currencies: [] })));
}

function toEnvelopeSections(envelope: Envelope, plan: FillPlan, notation: Notation): string[][] {
  const shown = pickEvenly(envelope.points, SHOWN_POINTS);
  return [
    ["Envelope", ...toLines(envelopeFacts(envelope, plan, notation))],
    toSection(rangeTable(envelope, plan, notation)),
    toSection(pointTable(envelope, shown, plan, notation)),
  ];
}

function pickEvenly<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (items.length <= count) return items;
  const picked = new Set(
    Array.from({ length: count }, (_, index) => Math.round((index * (items.length - 1)) / (count - 1))),
  );
  return items.filter((_item, index) => picked.has(index));
}
