import { type Address, isAddress } from "viem";

import { type CallFinding, checkCalls, decodeCalls, formatCalls, readCallFacts } from "@crosscall/sdk/calls";
import type { CheckedContracts } from "@crosscall/sdk/kit";
import { CrosscallError } from "@crosscall/protocol/core";
import { formatFeeTable } from "@crosscall/protocol/fees";
import {
  quoteFeeTable,
  type QuoteRequest,
  QuoteRequestSchema,
  readAnyQuote,
  requestIdOf,
} from "@crosscall/protocol/quote/rules";
import type { Quote } from "@crosscall/protocol/quote";
import { parseData, requireJson } from "@crosscall/protocol/schema";
import { verifyQuote } from "@crosscall/sdk/verify";
import type { DevChain } from "../../devchain/devChain.ts";
import { preflight } from "../../../replay/preflight/preflight.ts";
import { headlineOf, legFacts, itemTable } from "../../../replay/preflight/report/formatPreflight.ts";
import { claimTable, preflightSections } from "../../../replay/preflight/report/toPreflightHtml.ts";
import { markup, type Markup } from "../../../replay/report/html/markup.ts";
import { facts, section, toHtmlTable } from "../../../replay/report/html/page.ts";
import { shown } from "../../../replay/report/notation.ts";
import type { ConsoleParts } from "../consoleParts.ts";
import { alert, copyBlock, definitions } from "../elements.ts";
import { tokensOf } from "../requests/requestSections.ts";

type Parts = Pick<ConsoleParts, "chains" | "currencies" | "trust">;

/** @throws {@link MalformedDataError} if the text is no quote request */
export function parseRequest(text: string): QuoteRequest {
  return parseData(QuoteRequestSchema, requireJson(text, "the quote request"), "the quote request");
}

/** The calls of a request decoded, and what the checker finds, with facts of the chain. */
export async function callsReport(parts: Parts, request: QuoteRequest, signal: AbortSignal): Promise<Markup> {
  const { txs = [], destinationChainId } = request;
  if (txs.length === 0) return section("Calls", markup`<p>The request has no calls.</p>`);
  const chain = parts.chains.get(destinationChainId);
  const tokens = tokensOf(parts, destinationChainId);
  const decoded = copyBlock("Decoded calls", formatCalls(decodeCalls(txs), { tokens }));
  if (chain === undefined) {
    return section("Calls", [
      decoded,
      markup`<p>Chain ${destinationChainId} does not run here, so nothing is checked.</p>`,
    ]);
  }
  const contracts = contractsOf(chain);
  const readable = txs.filter(({ to }) => isAddress(to, { strict: false }));
  const known = await readCallFacts(chain.client, { txs: readable, contracts, signal });
  return section("Calls", [decoded, findingList(checkCalls({ request, contracts, facts: known }))]);
}

function contractsOf({ contracts }: DevChain): CheckedContracts {
  const { router, vault, vaultProxy, dollar, uniswapRouter, aavePool } = contracts;
  return {
    router,
    proxies: [{ address: vaultProxy, inputToken: dollar }],
    trusted: [vault, uniswapRouter, ...(aavePool === undefined ? [] : [aavePool])] satisfies Address[],
  };
}

function findingList(findings: readonly CallFinding[]): Markup {
  if (findings.length === 0) return markup`<p class="status good">The checker finds nothing.</p>`;
  return markup`<ul class="findings">${findings.map(
    ({ code, severity, index, reason, hint }) =>
      markup`<li><strong class="${severity === "error" ? "error" : ""}">${severity} ${code}</strong> ${index === undefined ? "request" : `txs[${index}]`}: ${shown(reason)}<br>${shown(hint)}</li>\n`,
  )}</ul>`;
}

/** What the quote's steps may do, from the request and the pinned addresses alone, and its fees. */
export async function quoteReport(parts: Parts, request: QuoteRequest, answer: unknown): Promise<Markup> {
  const quote = readAnyQuote(answer);
  const report = await verifyQuote({ request, quote, trust: parts.trust });
  const requestId = requestIdOf(quote);
  const unmet = report.claims.filter(({ isMet }) => !isMet).length;
  return markup`${section("Quote", [
    definitions([
      { label: "request", content: markup`<a href="/console/requests/${requestId}">${requestId}</a>` },
      {
        label: "verdict",
        content: markup`<strong class="${report.verdict === "refused" ? "error" : ""}">${report.verdict}</strong>`,
      },
      { label: "claims", content: `${report.claims.length - unmet} of ${report.claims.length} are met` },
      ...report.warnings.map(({ code, path, expected, seen }) => ({
        label: `warning ${code}`,
        content: shown(`${path}: expected ${expected}, seen ${seen}`),
      })),
    ]),
    toHtmlTable(itemTable(report)),
    markup`<details><summary>Claims</summary>${toHtmlTable(claimTable(report))}</details>`,
    copyBlock("Fees", formatFeeTable(quoteFeeTable(quote))),
    markup`<details><summary>Quote</summary>${copyBlock("Response of POST /quote/v3", JSON.stringify(answer, null, 2))}</details>`,
  ])}`;
}

/** Both legs simulated on forks of the network's chains. */
export async function preflightReport(
  parts: Parts,
  request: QuoteRequest,
  answer: unknown,
  signal: AbortSignal,
): Promise<Markup> {
  const quote: Quote = readAnyQuote(answer);
  try {
    const report = await preflight({ request, quote, trust: parts.trust, chains: [...parts.chains.values()], signal });
    const isPassed = report.verdict === "passed";
    return section("Preflight", [
      markup`<div class="verdict ${isPassed ? "works" : "fails"}"><p><strong>${isPassed ? "✓" : "✗"} ${headlineOf(report)}</strong></p>${facts(legFacts(report))}</div>`,
      preflightSections(report),
    ]);
  } catch (error) {
    if (!(error instanceof CrosscallError)) throw error;
    return section("Preflight", alert(`${error.message}. ${error.hint}`));
  }
}
