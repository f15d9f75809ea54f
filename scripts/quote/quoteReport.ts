import type { CallFinding } from "@crosscall/sdk/internal/calls/check/finding";
import { formatFindings } from "@crosscall/sdk/internal/calls/check/formatFindings";
import { type Amount, formatCurrencyAmount } from "@crosscall/sdk/internal/protocol/common/currency";
import type { FeeTable } from "@crosscall/sdk/internal/protocol/fees/feeTable";
import { formatFeeTable } from "@crosscall/sdk/internal/protocol/fees/formatFeeTable";
import { minimumOutput } from "@crosscall/sdk/internal/protocol/quote/minimumOutput";
import { quoteFeeTable } from "@crosscall/sdk/internal/protocol/quote/quoteFeeTable";
import { QUOTE_FRESH_LIMIT_MS, type ReceivedQuote } from "@crosscall/sdk/internal/protocol/quote/quoteFreshness";
import { isPresent } from "@crosscall/sdk/internal/protocol/schema/readResponse";
import type { Step } from "@crosscall/sdk/internal/protocol/quote/step";

export interface QuoteReport {
  /** Undefined if no step has one. */
  readonly requestId: string | undefined;
  readonly quotedAtMs: number;
  /** Unix milliseconds; the quote must not be executed unchanged later. */
  readonly freshUntilMs: number;
  /** Smallest unit. */
  readonly minimumOutput: bigint;
  readonly fees: FeeTable;
  /** For the quote's minimum output. */
  readonly findings: readonly CallFinding[];
  /** File of the quote. */
  readonly file?: string;
  readonly quote: ReceivedQuote;
}

export function quoteReport(
  quote: ReceivedQuote,
  { findings, file }: Pick<QuoteReport, "findings"> & { readonly file: string | undefined },
): QuoteReport {
  return {
    requestId: quote.steps?.find(({ requestId }) => isPresent(requestId))?.requestId ?? undefined,
    quotedAtMs: quote.quotedAtMs,
    freshUntilMs: quote.quotedAtMs + QUOTE_FRESH_LIMIT_MS,
    minimumOutput: minimumOutput(quote),
    fees: quoteFeeTable(quote),
    findings,
    ...(file === undefined ? {} : { file }),
    quote,
  };
}

export function formatQuoteReport({ requestId, minimumOutput: least, ...report }: QuoteReport): string {
  const { currencyIn, currencyOut } = report.quote.details ?? {};
  const steps = report.quote.steps ?? [];
  const rows: [string, string][] = [
    ...(requestId === undefined ? [] : [["request", requestId] as [string, string]]),
    ["pays", describeAmount(currencyIn)],
    ["expects", describeAmount(currencyOut)],
    ["minimum", formatCurrencyAmount(least, currencyOut?.currency ?? {})],
    ["fresh until", new Date(report.freshUntilMs).toISOString()],
    ...steps.map((step, index): [string, string] => [index === 0 ? "steps" : "", describeStep(step)]),
    ...(report.file === undefined ? [] : [["written to", report.file] as [string, string]]),
  ];
  const calls = report.quote.quotedRequest.txs ?? [];
  return [
    ...rows.map(([label, text]) => `${label.padEnd(13)}${text}`),
    "",
    formatFeeTable(report.fees),
    ...(calls.length === 0 ? [] : ["", formatFindings(report.findings)]),
  ].join("\n");
}

function describeAmount(stated: Amount | null | undefined): string {
  if (!isPresent(stated?.amount)) return "not stated";
  return formatCurrencyAmount(BigInt(stated.amount), stated.currency ?? {});
}

function describeStep({ id, kind, action, items }: Step): string {
  const count = items?.length ?? 0;
  return `${id ?? "step"}: ${count} ${kind ?? "item"}${count === 1 ? "" : "s"}${isPresent(action) ? ` (${action})` : ""}`;
}
