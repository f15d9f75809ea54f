import * as Type from "typebox";
import { type Address, isAddress, zeroAddress } from "viem";

import { type CallFinding, checkCalls, decodeCalls, readCallFacts } from "@crosscall/sdk/calls";
import { type CheckedContracts, describeCalls } from "@crosscall/sdk/kit";
import { AbortedError, CrosscallError, MalformedDataError } from "@crosscall/protocol/core";
import { formatFeeTable } from "@crosscall/protocol/fees";
import {
  quoteFeeTable,
  type QuoteRequest,
  QuoteRequestSchema,
  readAnyQuote,
  requestIdOf,
} from "@crosscall/protocol/quote/rules";
import type { Quote } from "@crosscall/protocol/quote";
import { parseData, parseJson, requireJson } from "@crosscall/protocol/schema";
import { verifyQuote } from "@crosscall/sdk/verify";
import { localAccounts } from "../devchain/accounts.ts";
import type { DevChain } from "../devchain/devChain.ts";
import { createMutex } from "../devchain/mutex.ts";
import { RejectionError } from "../market/rejection.ts";
import { preflight } from "../../replay/preflight/preflight.ts";
import { headlineOf, itemTable, legFacts } from "../../replay/preflight/report/formatPreflight.ts";
import { claimTable, preflightSections } from "../../replay/preflight/report/toPreflightHtml.ts";
import { markup, type Markup } from "../../replay/report/html/markup.ts";
import { facts, section, toHtmlTable } from "../../replay/report/html/page.ts";
import { shown } from "../../replay/report/notation.ts";
import type { ServiceApp } from "../service/route.ts";
import {
  clientOptions,
  commandBlocks,
  keyHeader,
  type Service,
  serviceOf,
  serviceOptions,
  shellText,
} from "./commands.ts";
import type { KeyDisplay, QuoteVerifier } from "./consoleParts.ts";
import type { ChainReader, Pricer } from "../market/market.ts";
import { accountNames } from "./accountNames.ts";
import type { Controls } from "./controls.ts";
import { alert, copyBlock, definitions } from "./elements.ts";
import type { Pages } from "./page.ts";
import { callTree, tokensOf } from "./requests/requestSections.ts";

interface QuoteParts extends Pricer, ChainReader, KeyDisplay, QuoteVerifier {
  readonly pages: Pages;
  readonly controls: Controls;
}

const ComposerSchema = Type.Object({
  request: Type.String(),
  /** Action of the form. `check` needs no quote, `quote` verifies a quote, and `preflight` also simulates it. */
  action: Type.String({ enum: ["check", "quote", "preflight"] }),
});

/** Runs one preflight at a time, because a fork occupies the process. */
const runExclusive = createMutex();

/** Checks, quotes, verifies and simulates a pasted quote request. */
export function addQuotePage(scope: ServiceApp, parts: QuoteParts): void {
  const { pages, controls } = parts;
  const page = (
    service: Service,
    text: string,
    mayQuote: boolean,
    report: Markup,
  ): { title: string; content: Markup } => ({
    title: "Quote",
    content: markup`<h1>Quote</h1>
<p class="lead">Edit the request, then check its calls, or quote it and run it on forks of both chains. Nothing is paid.</p>
<form method="post" action="/console/quote">
<label for="composer">Body of POST /quote/v3</label>
<textarea id="composer" name="request" required spellcheck="false">${text}</textarea>
<p class="actions">${mayQuote ? markup`<button class="primary" name="action" value="preflight">Quote, verify and preflight</button> <button name="action" value="quote">Quote and verify</button>` : ""}
<button name="action" value="check">Check the calls</button></p>
</form>
${linkTo(text)}
<div id="report">${report}</div>
${quoteCommands(service, text)}`,
  });

  scope.get(
    "/console/quote",
    { schema: { hide: true, querystring: Type.Object({ request: Type.Optional(Type.String()) }) } },
    (request, reply) => {
      const text = request.query.request ?? exampleRequest(parts);
      return pages.send(request, reply, page(serviceOf(request, parts), text, controls.mayChange(request), markup``));
    },
  );

  scope.post("/console/quote", { schema: { hide: true, body: ComposerSchema } }, async (request, reply) => {
    const { request: text, action } = request.body;
    const left = new AbortController();
    reply.raw.on("close", () => left.abort(new AbortedError({ what: "the report" })));
    const { report, status } = await buildReport(text, action, (body) => controls.quote(request, body), left.signal);
    const service = serviceOf(request, parts);
    return pages.send(request, reply, { ...page(service, text, controls.mayChange(request), report), status });
  });

  async function buildReport(
    text: string,
    action: string,
    quote: (body: object) => Promise<unknown>,
    signal: AbortSignal,
  ): Promise<{ readonly report: Markup; readonly status: number }> {
    const sections: Markup[] = [];
    try {
      const body = parseRequest(text);
      sections.push(await callsReport(parts, body, signal));
      if (action !== "check") {
        const answer = await quote(body);
        sections.push(await quoteReport(parts, body, answer));
        if (action === "preflight") {
          sections.push(await runExclusive(() => preflightReport(parts, body, answer, signal)));
        }
      }
      return { report: markup`${sections}`, status: 200 };
    } catch (error) {
      if (!(error instanceof CrosscallError)) throw error;
      const status = error instanceof RejectionError ? error.status : error instanceof MalformedDataError ? 400 : 422;
      const message = error instanceof RejectionError ? error.message : `${error.message}. ${error.hint}`;
      return { report: markup`${sections}${alert(message)}`, status };
    }
  }
}

/** Returns an example request: native currency on the first chain for dollars on the second. */
function exampleRequest({ chains }: ChainReader): string {
  const [origin, destination] = [...chains.values()];
  const request: Partial<QuoteRequest> = {
    user: localAccounts.user.address,
    ...(origin === undefined ? {} : { originChainId: origin.id, originCurrency: zeroAddress }),
    ...(destination === undefined
      ? {}
      : { destinationChainId: destination.id, destinationCurrency: destination.contracts.dollar }),
    tradeType: "EXACT_INPUT",
    amount: "10000000000000000",
  };
  return JSON.stringify(request, null, 2);
}

/** Maximum length of a URL for servers and browsers. */
const LINK_MAX = 8_000;

function linkTo(text: string): Markup {
  const url = `/console/quote?request=${encodeURIComponent(text)}`;
  return url.length > LINK_MAX ? markup`` : markup`<p><a href="${url}">Link to this request</a></p>`;
}

/** Formats JSON as code. Includes only valid JSON, because the text may come from an untrusted link. */
function toLiteral(text: string): string {
  return JSON.stringify(parseJson(text) ?? {}, null, 2);
}

function quoteCommands(service: Service, text: string): Markup {
  return commandBlocks({
    curl: `curl ${shellText(`${service.url}/quote/v3`)} ${keyHeader(service.apiKey)} -H 'content-type: application/json' -d ${shellText(text)}`,
    sdk: `import { createServiceClient, getQuote } from "@crosscall/sdk";

const client = createServiceClient(${clientOptions(service)});
const quote = await getQuote(client, ${toLiteral(text)});`,
    cli: `printf %s ${shellText(text)} > request.json
crosscall quote request.json ${serviceOptions(service)}`,
  });
}

type Parts = Pricer & ChainReader & QuoteVerifier;

/** @throws {@link MalformedDataError} if the text is not a quote request */
function parseRequest(text: string): QuoteRequest {
  return parseData(QuoteRequestSchema, requireJson(text, "the quote request"), "the quote request");
}

/** Renders the decoded calls of a request, and the checker's findings with data from the chain. */
async function callsReport(parts: Parts, request: QuoteRequest, signal: AbortSignal): Promise<Markup> {
  const { txs = [], destinationChainId } = request;
  if (txs.length === 0) return section("Calls", markup`<p>The request has no calls.</p>`);
  const chain = parts.chains.get(destinationChainId);
  const tokens = tokensOf(parts, destinationChainId);
  const labels = accountNames(parts);
  const decoded = callTree("Decoded calls", describeCalls(decodeCalls(txs), { tokens, labels }));
  if (chain === undefined) {
    return section("Calls", [
      decoded,
      markup`<p>This network does not run chain ${destinationChainId}, so the calls are not checked.</p>`,
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
  if (findings.length === 0) return markup`<p class="status good">The checker found no problems.</p>`;
  return markup`<ul class="findings">${findings.map(
    ({ code, severity, index, reason, hint }) =>
      markup`<li><span class="status ${severity === "error" ? "bad" : "back"}">${severity}</span> <strong>${code}</strong> ${index === undefined ? "request" : `txs[${index}]`}: ${shown(reason)}<br>${shown(hint)}</li>\n`,
  )}</ul>`;
}

const VERDICT_KINDS = { bound: "good", needsSimulation: "back", refused: "bad" } as const;

/** Renders the quote's fees and claims: the effects of its steps that the request and the pinned addresses permit. */
async function quoteReport(parts: Parts, request: QuoteRequest, answer: unknown): Promise<Markup> {
  const quote = readAnyQuote(answer);
  const report = await verifyQuote({ request, quote, trust: parts.trust });
  const terms = { request, quote, trust: parts.trust };
  const requestId = requestIdOf(quote);
  const unmet = report.claims.filter(({ isMet }) => !isMet).length;
  return markup`${section("Quote", [
    definitions([
      { label: "request", content: markup`<a href="/console/requests/${requestId}">${requestId}</a>` },
      {
        label: "verdict",
        content: markup`<span class="status ${VERDICT_KINDS[report.verdict]}">${report.verdict}</span>`,
      },
      { label: "claims", content: `${report.claims.length - unmet} of ${report.claims.length} claims are met` },
      ...report.warnings.map(({ code, path, expected, seen }) => ({
        label: `warning ${code}`,
        content: shown(`${path}: expected ${expected}, seen ${seen}`),
      })),
    ]),
    toHtmlTable(itemTable(report, terms)),
    markup`<details><summary>Claims</summary>${toHtmlTable(claimTable(report, terms))}</details>`,
    copyBlock("Fees", formatFeeTable(quoteFeeTable(quote))),
    markup`<details><summary>Quote</summary>${copyBlock("Response of POST /quote/v3", JSON.stringify(answer, null, 2))}</details>`,
  ])}`;
}

/** Renders the simulation of both legs on forks of the network's chains. */
async function preflightReport(
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
      preflightSections(report, { request, quote, trust: parts.trust }),
    ]);
  } catch (error) {
    if (!(error instanceof CrosscallError)) throw error;
    return section("Preflight", alert(`${error.message}. ${error.hint}`));
  }
}
