import { relative } from "node:path";

import type { Address } from "viem";

import { compact, InvalidInputError, printableData } from "@crosscall/protocol/core";
import { parseAmount } from "@crosscall/protocol/encoding";
import { requestIdOf } from "@crosscall/protocol/quote/rules";
import { isPresent } from "@crosscall/protocol/schema";
import { formatQuoteReport, type QuoteLimits, quoteReportToSarif } from "@crosscall/sdk/kit";
import { type QuoteReport, verifyQuote } from "@crosscall/sdk/verify";
import { chainNotation, quoteNotation, type QuoteNotationParameters } from "../../replay/report/quoteNotation.ts";
import { connectChains, requireTarget } from "../../options/target.ts";
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
  const { rpcUrl = [], minimumOutput, maximumInput, maximumImpactBps } = options;
  using interrupt = interruptOnCtrlC();
  const targets = await connectChains(rpcUrl, interrupt.signal);
  const clientOf = (chainId: number) => requireTarget(targets, chainId).client;
  const trust = await readTrust(options.trust);
  const report = await verifyQuote({
    request,
    quote,
    trust,
    ...(rpcUrl.length === 0
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
  const shown = (): string => formatText(report, { request, quote, trust });
  const text = formatReport(report, options.format, file, shown);
  if (options.out !== undefined) await writeOut(options.out, text);
  if (options.json === true) writeOutput(toJsonLine({ ok: isBound, requestId: requestIdOf(quote), ...report }));
  else writeOutput(`${options.out === undefined ? text : shown()}\n`);
  if (!isBound) process.exitCode = 1;
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

/** Formats the report with a summary of the payment. */
function formatText(report: QuoteReport, given: QuoteNotationParameters): string {
  const terms = printableData(given);
  const { request, quote } = terms;
  const { currencyIn, currencyOut } = quote.details ?? {};
  const describe = (amount: string | null | undefined, chainId: number, currency: string): string =>
    isPresent(amount) && /^\d{1,78}$/u.test(amount)
      ? chainNotation(terms, chainId).amountOf(BigInt(amount), currency as Address)
      : "an amount that the quote does not state";
  const placeOf = (chainId: number): string => `on ${terms.trust[chainId]?.name ?? "chain"} (${chainId})`;
  const pays = describe(currencyIn?.amount, request.originChainId, request.originCurrency);
  const gets = describe(
    currencyOut?.minimumAmount ?? currencyOut?.amount,
    request.destinationChainId,
    request.destinationCurrency,
  );
  return [
    `You pay ${pays} ${placeOf(request.originChainId)} and receive at least ${gets} ${placeOf(request.destinationChainId)}.`,
    "Symbols, decimals and US dollars are those of the quote; --json prints the verified values.",
    "",
    formatQuoteReport(printableData(report), quoteNotation(terms)),
  ].join("\n");
}
