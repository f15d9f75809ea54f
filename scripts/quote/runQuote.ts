import { maxUint256 } from "viem";

import type { CallFinding } from "@crosscall/sdk/internal/calls/check/finding";
import { formatFindings } from "@crosscall/sdk/internal/calls/check/formatFindings";
import { getQuote } from "@crosscall/sdk/internal/client/getQuote";
import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import { minimumOutput } from "@crosscall/sdk/internal/protocol/quote/minimumOutput";
import { type QuoteRequest, QuoteRequestSchema } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";
import { listMismatches } from "@crosscall/sdk/internal/protocol/schema/findMismatch";
import type { Command } from "../options/command.ts";
import { type FailOn, isFailing } from "../options/failOn.ts";
import { openService } from "../options/openService.ts";
import type { ServiceOptions } from "../options/serviceOptions.ts";
import { checkPlan } from "../plan/checkPlan.ts";
import { type PlanOptions, toPlanOverrides } from "../plan/planOptions.ts";
import { type AskedNode, nodeOf, readFacts } from "../plan/readFacts.ts";
import { readPlan } from "../plan/readPlan.ts";
import { interruptOnCtrlC } from "../terminal/interrupt.ts";
import { Stages } from "../terminal/stages.ts";
import { toJsonLine } from "../terminal/toJson.ts";
import { writeOut } from "../terminal/writeOut.ts";
import { formatQuoteReport, quoteReport, type QuoteReport } from "./quoteReport.ts";

/** Options that supply what a plan omits. */
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

interface Options extends PlanOptions, ServiceOptions {
  readonly rpcUrl?: string;
  readonly failOn: FailOn;
  readonly out?: string;
  readonly json?: boolean;
}

export async function runQuote(file: string | undefined, options: Options, command: Command): Promise<void> {
  using interrupt = interruptOnCtrlC();
  const outcome = await takeQuote(file, options, { node: nodeOf(options, command), signal: interrupt.signal });
  const fails = isFailing(outcome.findings, options.failOn);
  if ("quote" in outcome && options.out !== undefined && !fails) {
    await writeOut(options.out, JSON.stringify(outcome.quote, undefined, 2));
  }
  process.stdout.write(options.json === true ? toJsonLine({ ok: !fails, ...outcome }) : `${toText(outcome)}\n`);
  if (fails) process.exitCode = 1;
}

/** Only findings if these rule out a quote. */
async function takeQuote(
  file: string | undefined,
  options: Options,
  { node, signal }: { readonly node: AskedNode | undefined; readonly signal: AbortSignal },
): Promise<QuoteReport | { readonly findings: readonly CallFinding[] }> {
  const { failOn, out } = options;
  const stages = new Stages({ isSilent: options.json === true, signal });
  const client = openService(options);
  const plan = await readPlan({ file, overrides: toPlanOverrides(options), signal });
  const request = requireRequest(plan.request);
  const hasCalls = (request.txs ?? []).length > 0;
  const facts =
    node === undefined || !hasCalls
      ? {}
      : await stages.run("Read the destination chain", ({ note }) => readFacts(plan, node, { signal, note }));
  // Calls that fail for any amount need no quote.
  const before = hasCalls ? checkPlan(plan, { ...facts, minimumDelivered: maxUint256 }) : [];
  if (isFailing(before, failOn)) return { findings: before };
  const quote = await stages.run("Request the quote", () => getQuote(client, { ...request, signal }));
  const findings = hasCalls ? checkPlan(plan, { ...facts, minimumDelivered: minimumOutput(quote) }) : [];
  return quoteReport(quote, { findings, file: isFailing(findings, failOn) ? undefined : out });
}

function toText(outcome: QuoteReport | { readonly findings: readonly CallFinding[] }): string {
  return "quote" in outcome ? formatQuoteReport(outcome) : formatFindings(outcome.findings);
}
