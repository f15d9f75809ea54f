import { type CallFinding, formatFindings } from "../../src/calls/index.ts";
import { formatAmount } from "../../src/core/amounts.ts";
import { type FeeTable, formatFeeTable, minimumOutput, quoteFeeTable } from "../../src/protocol/index.ts";
import { QUOTE_FRESH_LIMIT_MS, type TakenQuote } from "../../src/protocol/quoteFreshness.ts";
import type { Step } from "../../src/protocol/step.ts";

/** What `crosscall quote` tells of a quote. */
export interface QuoteReport {
  /** Undefined where no step names a request. */
  readonly requestId: string | undefined;
  readonly takenAtMs: number;
  /** When it is too old to be executed as it is, in Unix milliseconds. */
  readonly freshUntilMs: number;
  /** Least that is delivered, smallest unit. */
  readonly minimumOutput: bigint;
  readonly fees: FeeTable;
  /** Of the calls, by the quote's minimum. */
  readonly findings: readonly CallFinding[];
  /** Where the quote was written. */
  readonly file?: string;
  readonly quote: TakenQuote;
}

/** Reads a quote for people and programs. */
export function quoteReport(
  quote: TakenQuote,
  { findings, file }: Pick<QuoteReport, "findings"> & { readonly file: string | undefined },
): QuoteReport {
  return {
    requestId: quote.steps.find(({ requestId }) => requestId !== undefined)?.requestId,
    takenAtMs: quote.takenAtMs,
    freshUntilMs: quote.takenAtMs + QUOTE_FRESH_LIMIT_MS,
    minimumOutput: minimumOutput(quote),
    fees: quoteFeeTable(quote),
    findings,
    ...(file === undefined ? {} : { file }),
    quote,
  };
}

/** The report for people. */
export function formatQuoteReport({ requestId, minimumOutput: least, ...report }: QuoteReport): string {
  const { currencyIn, currencyOut } = report.quote.details;
  const amountOf = (amount: bigint, { decimals, symbol }: { decimals: number; symbol: string }): string =>
    `${formatAmount(amount, decimals)} ${symbol}`;
  const rows: [string, string][] = [
    ...(requestId === undefined ? [] : [["request", requestId] as [string, string]]),
    ["pays", amountOf(BigInt(currencyIn.amount), currencyIn.currency)],
    ["expects", amountOf(BigInt(currencyOut.amount), currencyOut.currency)],
    ["minimum", amountOf(least, currencyOut.currency)],
    ["fresh until", new Date(report.freshUntilMs).toISOString()],
    ...report.quote.steps.map((step, index): [string, string] => [index === 0 ? "steps" : "", describeStep(step)]),
    ...(report.file === undefined ? [] : [["written to", report.file] as [string, string]]),
  ];
  const calls = report.quote.takenFor.txs ?? [];
  return [
    ...rows.map(([label, text]) => `${label.padEnd(13)}${text}`),
    "",
    formatFeeTable(report.fees),
    ...(calls.length === 0 ? [] : ["", formatFindings(report.findings)]),
  ].join("\n");
}

function describeStep({ id, kind, action, items }: Step): string {
  return `${id}: ${items.length} ${kind}${items.length === 1 ? "" : "s"} (${action})`;
}
