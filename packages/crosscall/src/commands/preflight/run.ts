import { relative } from "node:path";

import { SVM_CHAIN_ID } from "@crosscall/protocol/chains/chainIds";
import { printableData } from "@crosscall/protocol/core";
import { SYSTEM_PROGRAM } from "@crosscall/protocol/vms";
import type { Address } from "viem";
import { preflight } from "../../replay/preflight/preflight.ts";
import type { PreflightReport } from "../../replay/preflight/preflightReport.ts";
import { formatPreflight, preflightToSarif } from "../../replay/preflight/report/formatPreflight.ts";
import { toPreflightHtml } from "../../replay/preflight/report/toPreflightHtml.ts";
import type { CurrencyFacts } from "../../replay/replayReport.ts";
import type { QuoteNotationParameters } from "../../replay/report/quoteNotation.ts";
import { toWire } from "../../replay/report/reportJson.ts";
import { endpointsOf, findNetwork } from "../../options/network.ts";
import { readQuoteCurrencies } from "../verify/readQuoteCurrencies.ts";
import { readQuoteWithRequest, readTrust } from "../../options/readQuote.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { writeOut } from "../../terminal/replaceFile.ts";
import { Stages } from "../../terminal/stages.ts";
import { toJsonLine, writeOutput } from "../../terminal/output.ts";
import { connectPreflight } from "./connectPreflight.ts";

interface Options {
  readonly request?: string;
  readonly rpcUrl?: readonly string[];
  readonly trust?: string;
  readonly format: "text" | "json" | "sarif" | "html";
  readonly out?: string;
  readonly json?: boolean;
}

/** Exits with 1 if the preflight fails. */
export async function runPreflight(file: string, options: Options): Promise<void> {
  const { rpcUrl, out, format, json = false } = options;
  using interrupt = interruptOnCtrlC();
  const { signal } = interrupt;
  const stages = new Stages({ isSilent: json, signal });
  const { quote, request } = await readQuoteWithRequest(file, options.request);
  const trust = await readTrust(options.trust);
  const used = [request.originChainId, request.destinationChainId];
  const network = rpcUrl === undefined ? findNetwork(undefined) : undefined;
  const { chains, targets } = await connectPreflight(endpointsOf(rpcUrl, network, used), network?.svmRpcUrl, signal);
  const report = await stages.run("Simulate both legs", () => preflight({ request, quote, chains, trust, signal }));
  const isPassed = report.verdict === "passed";
  const read = json && out === undefined ? {} : await readQuoteCurrencies(targets, { request, quote });
  const currencies = { ...read, [SVM_CHAIN_ID]: [SOL] };
  const terms = { request, quote, trust, currencies };
  const text = formatReport(report, format, file, terms);
  if (out !== undefined) await writeOut(out, text);
  if (json) writeOutput(toJsonLine({ ok: isPassed, ...toWire(report) }));
  else writeOutput(`${out === undefined ? text : formatPreflight(printableData(report), printableData(terms))}\n`);
  if (!isPassed) process.exitCode = 1;
}

const SOL: CurrencyFacts = { address: SYSTEM_PROGRAM as Address, symbol: "SOL", decimals: 9 };

function formatReport(
  report: PreflightReport,
  format: Options["format"],
  file: string,
  terms: QuoteNotationParameters,
): string {
  switch (format) {
    case "text":
      return formatPreflight(printableData(report), printableData(terms));
    case "json":
      return JSON.stringify(toWire(report), null, 2);
    case "sarif":
      return JSON.stringify(preflightToSarif(report, relative("", file)), null, 2);
    case "html":
      return toPreflightHtml(report, terms);
  }
}
