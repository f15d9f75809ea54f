import { relative } from "node:path";

import { chainFamilyOf } from "@crosscall/protocol/chains";
import {
  ChainError,
  compact,
  InvalidInputError,
  printableData,
  throwIfAborted,
  WrongChainError,
} from "@crosscall/protocol/core";
import { parseAmount } from "@crosscall/protocol/encoding";
import { requestIdOf } from "@crosscall/protocol/quote/rules";
import { formatQuoteReport, type QuoteLimits, quoteReportToSarif } from "@crosscall/sdk/kit";
import { type QuoteReport, verifyQuote } from "@crosscall/sdk/verify";
import { quotedAmounts, quoteNotation, type QuoteNotationParameters } from "../../replay/report/quoteNotation.ts";
import { endpointsOf, findNetwork } from "../../options/network.ts";
import { readQuoteCurrencies } from "./readQuoteCurrencies.ts";
import { connectChains, requireTarget, type Target } from "../../options/target.ts";
import { readQuoteWithRequest, readTrust } from "../../options/readQuote.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { writeOut } from "../../terminal/replaceFile.ts";
import { toJsonLine, writeOutput } from "../../terminal/output.ts";

interface Options {
  readonly request?: string;
  readonly rpcUrl?: readonly string[];
  readonly trust?: string;
  readonly minimumOutput?: string;
  readonly maximumInput?: string;
  readonly maximumImpactBps?: number;
  readonly maximumFee?: readonly string[];
  readonly format: "text" | "json" | "sarif";
  readonly out?: string;
  readonly json?: boolean;
}

/** Exits with 1 unless the steps do only what the request specifies. */
export async function runVerify(file: string, options: Options): Promise<void> {
  const { request, quote } = await readQuoteWithRequest(file, options.request);
  const { rpcUrl, minimumOutput, maximumInput, maximumImpactBps } = options;
  using interrupt = interruptOnCtrlC();
  const used = [request.originChainId, request.destinationChainId];
  const targets = await (rpcUrl === undefined
    ? connectOwnChains(used, interrupt.signal)
    : connectChains(rpcUrl, interrupt.signal));
  const clientOf = (chainId: number) => requireTarget(targets, chainId).client;
  const trust = await readTrust(options.trust);
  const report = await verifyQuote({
    request,
    quote,
    trust,
    // Does not use the nodes of this folder's network: on a copy of live chains, accounts differ from those on the quote's chains.
    ...(rpcUrl === undefined
      ? {}
      : { clients: { origin: clientOf(request.originChainId), destination: clientOf(request.destinationChainId) } }),
    limits: compact({
      minimumOutput: minimumOutput === undefined ? undefined : parseAmount(minimumOutput, "--minimum-output"),
      maximumInput: maximumInput === undefined ? undefined : parseAmount(maximumInput, "--maximum-input"),
      maximumImpactBps,
      maximumFees: readFeeLimits(options.maximumFee),
    }),
  });
  const isBound = report.verdict === "bound";
  const isShown = options.json !== true || options.out !== undefined;
  const currencies = !isShown ? {} : await readQuoteCurrencies(targets, { request, quote });
  const shown = (): string => formatText(report, { request, quote, trust, currencies });
  const text = formatReport(report, options.format, file, shown);
  if (options.out !== undefined) await writeOut(options.out, text);
  if (options.json === true) writeOutput(toJsonLine({ ok: isBound, requestId: requestIdOf(quote), ...report }));
  else writeOutput(`${options.out === undefined ? text : shown()}\n`);
  if (!isBound) process.exitCode = 1;
}

/** Connects to the chains of this folder's network. Connects to none if one does not respond, because nodes are optional. */
async function connectOwnChains(
  chainIds: readonly number[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, Target>> {
  try {
    return await connectChains(endpointsOf(undefined, findNetwork(undefined), chainIds), signal);
  } catch (error) {
    throwIfAborted(signal, "the verification");
    if (error instanceof ChainError || error instanceof WrongChainError) return new Map();
    throw error;
  }
}

/** Parses the fee limits. `verifyQuote` checks the fee names. */
function readFeeLimits(texts: readonly string[] | undefined): QuoteLimits["maximumFees"] {
  return texts === undefined ? undefined : Object.fromEntries(texts.map(readFeeLimit));
}

function readFeeLimit(text: string): readonly [name: string, amount: bigint] {
  const [, name = "", amount = ""] = /^(\w+)=(\d+)$/u.exec(text) ?? [];
  if (name !== "") return [name, parseAmount(amount, `--maximum-fee ${name}`)];
  throw new InvalidInputError({
    field: "--maximum-fee",
    value: text,
    reason: "it is not a fee name and an amount",
    hint: "Write it as relayer=500000, in the smallest unit of the fee's currency.",
  });
}

function formatReport(report: QuoteReport, format: Options["format"], file: string, shown: () => string): string {
  switch (format) {
    case "text":
      return shown();
    case "json":
      return JSON.stringify(report, null, 2);
    case "sarif":
      return JSON.stringify(quoteReportToSarif(report, relative("", file)), null, 2);
  }
}

/** Formats the report. For a quote that passes verification, adds what it pays and delivers after the verdict. */
function formatText(report: QuoteReport, given: QuoteNotationParameters): string {
  const terms = printableData(given);
  const [verdict = "", ...rest] = formatQuoteReport(printableData(report), quoteNotation(terms)).split("\n");
  return [verdict, ...(report.verdict === "bound" ? [paymentOf(terms)] : []), ...rest].join("\n");
}

function paymentOf(terms: QuoteNotationParameters): string {
  const { request, currencies = {} } = terms;
  const { pays, gets } = quotedAmounts(terms);
  const chainIds = [request.originChainId, request.destinationChainId];
  const placeOf = (chainId: number): string => `on ${terms.trust[chainId]?.name ?? "chain"} (${chainId})`;
  const isUnread = chainIds.some((id) => chainFamilyOf(id).name === "evm" && currencies[id] === undefined);
  const hint =
    isUnread && `${pays}${gets}`.includes("(stated as ")
      ? " Pass --rpc-url for both chains to read symbols and decimals from the tokens."
      : "";
  const [from = "", to = ""] = chainIds.map(placeOf);
  return `You pay ${pays} ${from} and receive at least ${gets} ${to}.\nValues in US dollars are from the quote.${hint}`;
}
