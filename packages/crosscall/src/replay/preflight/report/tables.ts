import type { QuoteReport } from "@crosscall/sdk/verify";
import { notationOf } from "../../report/notation.ts";
import { shown } from "../../report/shown.ts";
import { allowanceTable, balanceTable, type Table } from "../../report/tables.ts";
import type { PreflightReport } from "../preflightReport.ts";

/** What each step of the quote does. */
export function itemTable({ items }: Pick<QuoteReport, "items">): Table {
  return {
    title: "Steps",
    columns: [{ title: "step" }, { title: "verdict" }, { title: "what it does" }],
    rows: items.map(({ path, verdict, effect }) => [path, verdict, shown(effect)]),
  };
}

/** Balances and allowances that the steps change on the origin chain. */
export function changeTables({ origin }: Pick<PreflightReport, "origin">): Table[] {
  if (origin === undefined) return [];
  const notation = notationOf({ names: {}, currencies: [] });
  return [
    { ...balanceTable(origin, notation), title: "Balances on the origin chain" },
    { ...allowanceTable(origin, notation), title: "Allowances on the origin chain" },
  ];
}
