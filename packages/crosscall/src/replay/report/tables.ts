import { maxUint256 } from "viem";

import type { Envelope, EnvelopePoint, EnvelopeRange } from "../envelope/envelope.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { ReplayReport } from "../replayReport.ts";
import type { Notation } from "./notation.ts";

interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
}

export function toColumns(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const titles = columns.map(({ title }) => title);
  const widths = columns.map((_column, index) =>
    Math.max(...[titles, ...rows].map((row) => Array.from(row[index] ?? "").length)),
  );
  return [titles, ...rows].map((row) =>
    columns
      .map(({ isNumber = false }, index) => {
        const cell = row[index] ?? "";
        const space = " ".repeat((widths[index] ?? 0) - Array.from(cell).length);
        return isNumber ? space + cell : cell + space;
      })
      .join("  ")
      .trimEnd(),
  );
}

export interface Table {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
}

export function transferTable({ transfers }: Pick<ReplayReport, "transfers">, notation: Notation): Table {
  return {
    title: "Transfers",
    columns: [{ title: "#", isNumber: true }, { title: "tx" }, { title: "from" }, { title: "to" }, { title: "amount" }],
    rows: transfers.map(({ currency, from, to, amount, txIndex }, index) => [
      String(index + 1),
      txIndex === undefined ? "" : `txs[${txIndex}]`,
      notation.nameOf(from),
      notation.nameOf(to),
      notation.amountOf(amount, currency),
    ]),
  };
}

/** Columns of balance changes. */
export const BALANCE_COLUMNS: readonly Column[] = [
  { title: "account" },
  { title: "currency" },
  { title: "before", isNumber: true },
  { title: "after", isNumber: true },
  { title: "change", isNumber: true },
];

export function balanceTable({ balances }: Pick<ReplayReport, "balances">, notation: Notation): Table {
  return {
    title: "Balance changes",
    columns: BALANCE_COLUMNS,
    rows: balances.map(({ account, currency, before, after }) => [
      notation.nameOf(account),
      notation.symbolOf(currency),
      notation.numberOf(before, currency),
      notation.numberOf(after, currency),
      `${after > before ? "+" : ""}${notation.numberOf(after - before, currency)}`,
    ]),
  };
}

export function allowanceTable({ allowances }: Pick<ReplayReport, "allowances">, notation: Notation): Table {
  return {
    title: "Allowance changes",
    columns: [
      { title: "owner" },
      { title: "spender" },
      { title: "token" },
      { title: "before", isNumber: true },
      { title: "after", isNumber: true },
    ],
    rows: allowances.map(({ token, owner, spender, before, after }) => [
      notation.nameOf(owner),
      notation.nameOf(spender),
      notation.symbolOf(token),
      ...[before, after].map((amount) => (amount === maxUint256 ? "unlimited" : notation.numberOf(amount, token))),
    ]),
  };
}

export function rangeTable(envelope: Envelope, { currency }: FillPlan, notation: Notation): Table {
  return {
    title: "Ranges of delivered amounts",
    columns: [{ title: "from", isNumber: true }, { title: "to", isNumber: true }, { title: "outcome" }],
    rows: envelope.ranges.map((range) => [
      notation.numberOf(range.from, currency),
      notation.numberOf(range.to, currency),
      outcomeOf(range),
    ]),
  };
}

export function pointTable(
  { outputs }: Envelope,
  points: readonly EnvelopePoint[],
  { currency }: FillPlan,
  notation: Notation,
): Table {
  return {
    title: "Amounts tried",
    columns: [
      { title: `delivered ${notation.symbolOf(currency)}`, isNumber: true },
      { title: "outcome" },
      { title: "gas", isNumber: true },
      ...outputs.map((output) => ({ title: `received ${notation.symbolOf(output)}`, isNumber: true })),
    ],
    rows: points.map((point) => [
      notation.numberOf(point.amount, currency),
      outcomeOf(point) + (point.txIndex === undefined ? "" : ` in txs[${point.txIndex}]`),
      String(point.gasUsed),
      ...outputs.map((output, index) => {
        const received = point.received[index];
        return received === undefined ? "" : notation.numberOf(received, output);
      }),
    ]),
  };
}

export function accountTable({ accounts }: Notation): Table {
  return {
    title: "Accounts",
    columns: [{ title: "name" }, { title: "address" }],
    rows: accounts.map(({ name, address }) => [name, address]),
  };
}

export function outcomeOf({ success, failReason }: Pick<EnvelopeRange, "success" | "failReason">): string {
  return success ? "works" : `fails: ${failReason ?? "UNKNOWN"}`;
}
