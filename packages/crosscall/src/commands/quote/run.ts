import { maxUint256 } from "viem";

import { type CallFinding, formatFindings } from "@crosscall/sdk/calls";
import { getQuote, type ServiceClient } from "@crosscall/sdk";
import { InvalidInputError, printableData } from "@crosscall/protocol/core";
import { type Amount, formatCurrencyAmount } from "@crosscall/protocol/common";
import { type FeeTable, formatFeeTable } from "@crosscall/protocol/fees";
import {
  minimumOutput,
  QUOTE_FRESH_LIMIT_MS,
  quoteFeeTable,
  type QuoteRequest,
  QuoteRequestSchema,
  type ReceivedQuote,
} from "@crosscall/protocol/quote/rules";
import type { Step } from "@crosscall/protocol/quote";
import { isPresent, listMismatches } from "@crosscall/protocol/schema";
import type { Command } from "../../options/command.ts";
import { type FailOn, isFailing, type QuoteVersionOptions, type ServiceOptions } from "../../options/commonOptions.ts";
import { findNetwork, openService } from "../../options/network.ts";
import type { BuiltPlan } from "../plan/buildPlan.ts";
import { checkPlan, type AskedNode, nodeOf, readFacts } from "../plan/checkPlan.ts";
import { type PlanOptions, toPlanOverrides } from "../plan/planOptions.ts";
import { readPlan } from "../plan/readPlan.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { Stages } from "../../terminal/stages.ts";
import { toJsonLine, writeOutput } from "../../terminal/output.ts";
import { writeOut } from "../../terminal/replaceFile.ts";

/** Options for fields that a plan can omit. */
const OPTIONS: Readonly<Record<string, string>> = {
  user: "--user",
  originChainId: "--origin-chain",
  destinationChainId: "--destination-chain",
  originCurrency: "--origin-currency",
  destinationCurrency: "--destination-currency",
  tradeType: "--trade-type",
  amount: "--amount",
};

export function requireRequest(request: Partial<QuoteRequest>): QuoteRequest {
  const [mismatch] = listMismatches(QuoteRequestSchema, request);
  if (mismatch === undefined) return request as QuoteRequest;
  const { path: field, value, reason } = mismatch;
  const option = OPTIONS[field];
  throw new InvalidInputError({
    field,
    value,
    reason: value === undefined ? "a quote needs it" : reason,
    hint: `Set ${field} in the plan${option === undefined ? "" : ` or pass ${option}`}.`,
  });
}

interface Options extends PlanOptions, QuoteVersionOptions, ServiceOptions {
  readonly rpcUrl?: string;
  readonly failOn: FailOn;
  readonly out?: string;
  readonly json?: boolean;
}

export async function runQuote(file: string | undefined, options: Options, command: Command): Promise<void> {
  using interrupt = interruptOnCtrlC();
  const { signal } = interrupt;
  const { failOn, out, json = false } = options;
  const client = openService(options);
  const plan = await readPlan({ file, overrides: toPlanOverrides(options), signal });
  const stages = new Stages({ isSilent: json, signal });
  const node = nodeOf(options, command, plan, findNetwork(options.apiUrl));
  const outcome = await takeQuote({ plan, client, failOn, node, stages, signal });
  const fails = isFailing(outcome.findings, failOn);
  const isWritten = "quote" in outcome && out !== undefined && !fails;
  if (isWritten) await writeOut(out, JSON.stringify(outcome.quote, undefined, 2));
  const shown = isWritten ? { ...outcome, file: out } : outcome;
  writeOutput(json ? toJsonLine({ ok: !fails, ...shown }) : `${formatQuoteOutcome(printableData(shown))}\n`);
  if (fails) process.exitCode = 1;
}

export interface TakeQuoteParameters {
  readonly plan: BuiltPlan;
  readonly client: ServiceClient;
  readonly failOn: FailOn;
  /** Node of the destination chain, for the check. */
  readonly node: AskedNode | undefined;
  readonly stages: Stages;
  readonly signal: AbortSignal;
}

/** Checks the plan and requests a quote. Returns only the findings if they fail the check. */
export async function takeQuote(parameters: TakeQuoteParameters): Promise<QuoteOutcome> {
  const { plan, client, failOn, node, stages, signal } = parameters;
  const request = requireRequest(plan.request);
  const hasCalls = (request.txs ?? []).length > 0;
  const facts =
    node === undefined || !hasCalls
      ? {}
      : await stages.run("Read the destination chain", ({ note }) => readFacts(plan, node, { signal, note }));
  // Calls that fail with any amount need no quote.
  const before = hasCalls ? checkPlan(plan, { ...facts, minimumDelivered: maxUint256 }) : [];
  if (isFailing(before, failOn)) return { findings: before };
  const quote = await stages.run("Request the quote", () => getQuote(client, { ...request, signal }));
  const findings = hasCalls ? checkPlan(plan, { ...facts, minimumDelivered: minimumOutput(quote) }) : [];
  return quoteReport(quote, findings);
}

/** A quote with its check, or only the findings of a failed check. */
export type QuoteOutcome = QuoteReport | { readonly findings: readonly CallFinding[] };

export function formatQuoteOutcome(outcome: QuoteOutcome): string {
  return "quote" in outcome ? formatQuoteReport(outcome) : formatFindings(outcome.findings);
}

export interface QuoteReport {
  /** Request id; undefined if no step has one. */
  readonly requestId: string | undefined;
  readonly quotedAtMs: number;
  /** Time in Unix milliseconds until which the quote can be executed unchanged. */
  readonly freshUntilMs: number;
  /** Smallest unit. */
  readonly minimumOutput: bigint;
  readonly fees: FeeTable;
  /** Findings for the calls with the quote's minimum output. */
  readonly findings: readonly CallFinding[];
  readonly file?: string;
  readonly quote: ReceivedQuote;
}

function quoteReport(quote: ReceivedQuote, findings: readonly CallFinding[]): QuoteReport {
  return {
    requestId: quote.steps?.find(({ requestId }) => isPresent(requestId))?.requestId ?? undefined,
    quotedAtMs: quote.quotedAtMs,
    freshUntilMs: quote.quotedAtMs + QUOTE_FRESH_LIMIT_MS,
    minimumOutput: minimumOutput(quote),
    fees: quoteFeeTable(quote),
    findings,
    quote,
  };
}

function formatQuoteReport({ requestId, minimumOutput: least, ...report }: QuoteReport): string {
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
