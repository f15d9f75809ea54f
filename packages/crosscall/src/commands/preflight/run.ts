import { relative } from "node:path";

import { createServiceClient, getChains } from "@crosscall/sdk";
import { InvalidInputError, printableData } from "@crosscall/protocol/core";
import { preflight, type PreflightChain } from "../../replay/preflight/preflight.ts";
import type { PreflightReport } from "../../replay/preflight/preflightReport.ts";
import { formatPreflight, preflightToSarif } from "../../replay/preflight/report/formatPreflight.ts";
import { toPreflightHtml } from "../../replay/preflight/report/toPreflightHtml.ts";
import { toWire } from "../../replay/report/reportJson.ts";
import { connectChains } from "../../options/target.ts";
import { readQuoteWithRequest, readTrust } from "../../options/readQuote.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { writeOut } from "../../terminal/replaceFile.ts";
import { Stages } from "../../terminal/stages.ts";
import { toJsonLine, writeOutput } from "../../terminal/output.ts";

interface Options {
  readonly request?: string;
  readonly rpcUrl?: readonly string[];
  readonly local?: string;
  readonly trust?: string;
  readonly format: "text" | "json" | "sarif" | "html";
  readonly out?: string;
  readonly json?: boolean;
}

/** Exits with 1 if the preflight fails. */
export async function runPreflight(file: string, options: Options): Promise<void> {
  const { rpcUrl = [], local, out, format, json = false } = options;
  using interrupt = interruptOnCtrlC();
  const { signal } = interrupt;
  const stages = new Stages({ isSilent: json, signal });
  const { quote, request } = await readQuoteWithRequest(file, options.request);
  const trust = await readTrust(options.trust);
  const targets = await connectChains(rpcUrl, signal);
  const chains: PreflightChain[] = [...targets].map(([id, target]) => ({ id, rpcUrl: target.rpcUrl }));
  if (local !== undefined) chains.push(...(await chainsOfNetwork(local, signal)));
  const report = await stages.run("Simulate both legs", () => preflight({ request, quote, chains, trust, signal }));
  const isPassed = report.verdict === "passed";
  const text = formatReport(report, format, file);
  if (out !== undefined) await writeOut(out, text);
  if (json) writeOutput(toJsonLine({ ok: isPassed, ...toWire(report) }));
  else writeOutput(`${out === undefined ? text : formatPreflight(printableData(report))}\n`);
  if (!isPassed) process.exitCode = 1;
}

/** Requires a network on this machine, because another service could list endpoints that return false data. */
async function chainsOfNetwork(url: string, signal: AbortSignal): Promise<PreflightChain[]> {
  const { hostname } = URL.canParse(url) ? new URL(url) : { hostname: "" };
  if (!["127.0.0.1", "localhost", "[::1]"].includes(hostname)) {
    throw new InvalidInputError({
      field: "--local",
      value: url,
      reason: "it is not a service on this machine",
      hint: "Pass the URL that `crosscall up` prints, or pass the endpoints of the chains with --rpc-url.",
    });
  }
  const chains = await getChains(createServiceClient({ baseUrl: url }), { signal });
  return chains.flatMap(({ id, httpRpcUrl }) =>
    typeof id === "number" && typeof httpRpcUrl === "string" && httpRpcUrl !== "" ? [{ id, rpcUrl: httpRpcUrl }] : [],
  );
}

function formatReport(report: PreflightReport, format: Options["format"], file: string): string {
  switch (format) {
    case "text":
      return formatPreflight(printableData(report));
    case "json":
      return JSON.stringify(toWire(report), null, 2);
    case "sarif":
      return JSON.stringify(preflightToSarif(report, relative("", file)), null, 2);
    case "html":
      return toPreflightHtml(report);
  }
}
