import * as Type from "typebox";

import { AbortedError, CrosscallError } from "@crosscall/protocol/core";
import { createMutex } from "../../devchain/mutex.ts";
import { findQuotedChain, isSimulated } from "../../market/quotedChains.ts";
import { replay } from "../../../replay/replay.ts";
import { markup, type Markup } from "../../../replay/report/html/markup.ts";
import { facts as factList, section } from "../../../replay/report/html/page.ts";
import { notationOf, shown } from "../../../replay/report/notation.ts";
import { hasUnsentFill, replaySvmRequest } from "../../../replay/svm/replaySvm.ts";
import { svmReportSections, svmVerdict } from "../../../replay/svm/report/svmReportHtml.ts";
import { failureFacts, headlineOf } from "../../../replay/report/summary.ts";
import { reportSections } from "../../../replay/report/toReportHtml.ts";
import { requireScenario } from "../../scenarios/catalogue.ts";
import { isCauseOfFailure, type ScenarioName } from "../../scenarios/scenario.ts";
import type { ServiceApp } from "../../service/route.ts";
import { commandBlocks, requestCommands, serviceOf, serviceOptions } from "../commands.ts";
import type { KeyDisplay } from "../consoleParts.ts";
import type { ChainReader, LedgerUser, Payer, Pricer, Recorder } from "../../market/market.ts";
import { accountLabel, accountNames, type AccountNames } from "../accountNames.ts";
import { chainLabel } from "../chainLogo.ts";
import type { Controls } from "../controls.ts";
import {
  ARROW,
  alert,
  amountText,
  callout,
  copyable,
  copyBlock,
  type Definition,
  definitions,
  shortText,
  statusBadge,
  timeText,
} from "../elements.ts";
import { releaseForms } from "../fills.ts";
import type { LiveChanges } from "../liveChanges.ts";
import type { Pages } from "../page.ts";
import { failedDepositNotes, findSvmChain, listSvmChains, svmNames } from "../svm.ts";
import { amountsSection, callsSection, feesSection, flowSection, orderSection } from "./requestSections.ts";
import { isHeld, readRequest, type RequestFacts, timeline } from "./timeline.ts";

interface RequestParts extends Pricer, ChainReader, LedgerUser, Payer, Recorder, KeyDisplay {
  readonly controls: Controls;
  readonly pages: Pages;
  readonly live: LiveChanges;
}

const params = Type.Object({ requestId: Type.String() });

/**
 * Adds the live page of a request. It shows the request's timeline, funds flow, fees, calls, order and failure, and the
 * replay of its fill.
 */
export function addRequestPage(scope: ServiceApp, parts: RequestParts): void {
  const { controls, pages, live, clock } = parts;
  scope.get("/console/requests/:requestId", { schema: { hide: true, params } }, async (request, reply) => {
    const sinceSeconds = Math.floor(clock.now() / 1_000);
    const facts = await readRequest(parts, request.params.requestId);
    const { id } = facts.request;
    const rpcUrls = replayUrls(parts, facts);
    return pages.send(request, reply, {
      title: `Request ${id.slice(0, 10)}`,
      content: markup`<p class="crumbs"><a href="/console/requests">Requests</a> / <code>${shortText(id)}</code></p>
<div id="request" hx-ext="sse" sse-connect="/console/requests/${id}/events?since=${sinceSeconds}" sse-swap="request" hx-swap="innerHTML">
${await requestMarkup(parts, facts, controls.mayChange(request))}
</div>
${hasReplay(parts, facts) ? replayPlace(parts, facts) : markup`<section id="replay"></section>`}
${commandBlocks(requestCommands(serviceOf(request, parts), id))}
${rpcUrls.length === 0 ? "" : copyBlock("Replay in a terminal", [`crosscall replay ${id} ${serviceOptions(serviceOf(request, parts))}`, ...rpcUrls.map((url) => `--rpc-url ${url}`)].join(" "))}`,
    });
  });

  scope.get(
    "/console/requests/:requestId/events",
    { schema: { hide: true, params, querystring: Type.Object({ since: Type.Optional(Type.Integer()) }) } },
    async (request, reply) => {
      const { id, updated_at } = (await readRequest(parts, request.params.requestId)).request;
      const sinceSeconds = request.query.since ?? Math.floor(updated_at.getTime() / 1_000);
      live.serve(request, reply, {
        sinceSeconds,
        render: async (change) => {
          if ("requestId" in change && change.requestId !== id) return [];
          const facts = await readRequest(parts, id);
          const isOld = "sinceSeconds" in change && facts.request.updated_at.getTime() < change.sinceSeconds * 1_000;
          return isOld ? [] : [await requestMarkup(parts, facts, controls.mayChange(request))];
        },
      });
      return reply;
    },
  );

  scope.get(
    "/console/requests/:requestId/replay",
    { schema: { hide: true, params, querystring: Type.Object({ part: Type.Optional(Type.String()) }) } },
    async (request, reply) => {
      const facts = await readRequest(parts, request.params.requestId);
      const left = new AbortController();
      reply.raw.on("close", () => left.abort(new AbortedError({ what: "the replay" })));
      const part = await replaySection(parts, facts, left.signal);
      if (request.query.part !== undefined) return pages.sendPart(reply, part);
      return pages.send(request, reply, {
        title: "Replay",
        content: markup`<h1>Replay of <a href="/console/requests/${facts.request.id}">a request</a></h1>${part}`,
      });
    },
  );
}

type Parts = Pricer & ChainReader & LedgerUser & Payer;

/** Returns the endpoints with which `crosscall replay` shows the request. */
function replayUrls(parts: ChainReader & LedgerUser, { request }: RequestFacts): string[] {
  const { origin_chain_id: originId, destination_chain_id: destinationId } = request;
  const evm = parts.chains.get(destinationId);
  const svm = listSvmChains(parts).filter(({ id }) => id === originId || id === destinationId);
  return [...(evm === undefined ? [] : [evm.rpcUrl]), ...svm.map(({ id, url }) => `${id}=${url}`)];
}

/** Renders all data of a request except its replay. A change of the request replaces this whole part. */
async function requestMarkup(parts: Parts, facts: RequestFacts, mayChange: boolean): Promise<Markup> {
  const nameOfChain = (chainId: number): string => findQuotedChain(parts.chains, chainId)?.name ?? String(chainId);
  const names = accountNames(parts);
  return markup`${heading(facts, nameOfChain)}
${stateNotes(parts, facts, mayChange)}
${await failedDepositNotes(parts, facts.request)}
<div class="columns"><div>
${section("Timeline", timeline(parts, facts, nameOfChain))}
${flowSection(parts, facts, names)}
${callsSection(parts, facts, names)}
</div><div class="side">
${amountsSection(facts)}
${feesSection(facts)}
${factsSection(facts, names)}
${await orderSection(parts, facts)}
<details><summary>Record</summary>${copyBlock("Record", JSON.stringify(facts.record, null, 2))}</details>
</div></div>`;
}

function heading(facts: RequestFacts, nameOfChain: (chainId: number) => string): Markup {
  const { request, scenarios } = facts;
  const { origin_chain_id, destination_chain_id, input_count, details } = request;
  const { currencyIn, currencyOut } = details;
  const more = input_count === 1 ? "" : ` and ${input_count - 1} more`;
  return markup`<div class="card hero"><div class="badges">${statusBadge(request.status, isHeld(facts))}${scenarios.map(
    (name) => markup` <span class="status injected">injected: ${name}</span>`,
  )}</div>
<h1>${amountText(currencyIn.amountFormatted, request.origin_symbol)} ${ARROW} ${amountText(currencyOut.amountFormatted, request.destination_symbol, currencyOut.amountUsd)}</h1>
<p>${chainLabel(origin_chain_id, nameOfChain(origin_chain_id))}${more} ${ARROW} ${chainLabel(destination_chain_id, nameOfChain(destination_chain_id))} <span class="quiet">${shown(request.request_type, 40)}</span></p>
<p class="quiet">${copyable(request.id)}</p></div>`;
}

/** Renders why the request waits or failed, and what to do about it. */
function stateNotes(parts: Parts, facts: RequestFacts, mayChange: boolean): Markup {
  return markup`${isHeld(facts) ? heldNote(facts.request.id, mayChange) : ""}${injectedNotes(facts)}${failureNote(parts, facts)}`;
}

function heldNote(requestId: string, mayChange: boolean): Markup {
  const release = mayChange ? releaseForms(requestId) : copyBlock("Release it", `crosscall fills release ${requestId}`);
  return callout(
    "held",
    "This fill is held",
    markup`<p>A hold stopped the solver before the fill, so the request stays pending. Release it to continue.</p>${release}`,
  );
}

function injectedNotes({ request, scenarios }: RequestFacts): readonly Markup[] {
  const { fail_reason: failReason, refund_fail_reason: refundFailReason } = request;
  return scenarios.map((name) => {
    const { what } = requireScenario(name, "scenario");
    const cause = isCauseOfFailure(name, { failReason, refundFailReason }) ? " Your calls are not the cause." : "";
    const end = name === "stuck" ? markup`<p>End it with <code>crosscall scenarios clear stuck</code>.</p>` : "";
    return callout("injected", `Injected by the scenario ${name}`, markup`<p>${what}${cause}</p>${end}`);
  });
}

function factsSection({ request }: RequestFacts, names: AccountNames): Markup {
  return section(
    "Details",
    definitions([
      { label: "user", content: accountLabel(names, request.user) },
      {
        label: "recipient",
        content: request.recipient === request.user ? undefined : accountLabel(names, request.recipient),
      },
      { label: "refund to", content: request.refund_to === null ? undefined : accountLabel(names, request.refund_to) },
      {
        label: "deposit address",
        content: request.deposit_address === null ? undefined : copyable(request.deposit_address),
      },
      { label: "features", content: request.features.join(", ") },
      { label: "created", content: timeText(request.created_at) },
      { label: "updated", content: timeText(request.updated_at) },
      {
        label: "parent",
        content:
          request.parent_request_id === null
            ? undefined
            : markup`<a href="/console/requests/${request.parent_request_id}">${request.parent_request_id}</a>`,
      },
    ]),
  );
}

function failureNote(parts: Parts, facts: RequestFacts): Markup {
  const { request, record } = facts;
  const { fail_reason, refund_fail_reason, fail_details } = request;
  if (fail_reason === null && refund_fail_reason === null) return markup``;
  const { failedTxHash, failedTxBlockNumber } = record.data;
  return callout(
    "bad",
    refund_fail_reason === null ? "The fill failed" : "The refund failed",
    definitions([
      ...(fail_reason === null ? [] : explain("reason", fail_reason, fail_reason)),
      { label: "details", content: fail_details === null ? undefined : shown(fail_details) },
      ...(refund_fail_reason === null
        ? []
        : explain("refund failed", refund_fail_reason, `refund:${refund_fail_reason}`)),
      { label: "failed transaction", content: failedTxHash == null ? undefined : copyable(failedTxHash) },
      { label: "tried on block", content: failedTxBlockNumber == null ? undefined : String(failedTxBlockNumber) },
      { label: "cause", content: hasReplay(parts, facts) ? replayLink(request.id, "click") : undefined },
    ]),
  );
}

/** Shows the hint of the reason's scenario, which explains how to handle the reason. */
function explain(label: string, reason: string, scenarioName: ScenarioName): readonly Definition[] {
  const { hint } = requireScenario(scenarioName, "reason");
  return [
    { label, content: markup`<strong class="error">${reason}</strong>` },
    { label: "to do", content: hint },
  ];
}

/**
 * Returns whether the request has a fill to replay: a sent fill with calls, a fill that failed in simulation, or a fill on
 * an SVM chain.
 */
function hasReplay(parts: Parts, { request, transactions, record }: RequestFacts): boolean {
  if (findSvmChain(parts, request.destination_chain_id) !== undefined) {
    return transactions.fill !== undefined || hasUnsentFill(record);
  }
  const chain = findQuotedChain(parts.chains, request.destination_chain_id);
  if (chain === undefined || isSimulated(chain)) return false;
  if (request.order_data.output.calls.length === 0) return false;
  return transactions.fill?.block_number != null || record.data.failedCallData != null;
}

/** Renders the element that a replay fills. Failed fills are replayed when the page loads. */
function replayPlace(parts: LedgerUser, { request }: RequestFacts): Markup {
  const isSvm = findSvmChain(parts, request.destination_chain_id) !== undefined;
  const what = isSvm
    ? "as its chain recorded it: instructions, balances, logs, and the cause of a failure"
    : "on a fork of its chain: funds flow, calls, balances, and the cause of a failure";
  const trigger = request.fail_reason === null ? "click" : "load, click";
  return markup`<section id="replay"><h2>Replay</h2>
<p>${replayLink(request.id, trigger)}
<span class="quiet">${what}</span></p></section>`;
}

/** Renders a link that shows the replay in its section of the page, and on a separate page without scripts. */
function replayLink(requestId: string, trigger: string): Markup {
  const path = `/console/requests/${requestId}/replay`;
  return markup`<a href="${path}" hx-get="${path}?part=1" hx-trigger="${trigger}" hx-target="#replay" hx-swap="innerHTML${trigger === "click" ? " show:top" : ""}">Replay the fill</a>`;
}

/** Runs one replay at a time, because a fork occupies the process. */
const runExclusive = createMutex();

/** Replays a fill, and shows the report of `crosscall replay`. */
async function replaySection(parts: Parts, facts: RequestFacts, signal: AbortSignal): Promise<Markup> {
  try {
    return findSvmChain(parts, facts.request.destination_chain_id) === undefined
      ? await runExclusive(() => forkSection(parts, facts, signal))
      : await svmSection(parts, facts, signal);
  } catch (error) {
    if (!(error instanceof CrosscallError)) throw error;
    return markup`<h2>Replay</h2>${alert(`${error.message}. ${error.hint}`)}`;
  }
}

async function forkSection({ chains }: ChainReader, facts: RequestFacts, signal: AbortSignal): Promise<Markup> {
  const { request, record } = facts;
  const rpcUrl = chains.get(request.destination_chain_id)?.rpcUrl ?? "";
  const report = await replay({ input: { kind: "request", record }, rpcUrl, signal });
  const isGood = report.verdict.outcome === "success";
  return markup`<h2>Replay</h2><div class="verdict ${isGood ? "works" : "fails"}"><p><strong>${isGood ? "✓" : "✗"} ${headlineOf(report)}</strong></p>
${factList(failureFacts(report, notationOf(report)))}</div>
${isGood ? "" : injectedNotes(facts)}
${reportSections(report)}`;
}

async function svmSection(parts: Parts, facts: RequestFacts, signal: AbortSignal): Promise<Markup> {
  const chain = findSvmChain(parts, facts.request.destination_chain_id);
  const replays = await replaySvmRequest({
    record: facts.record,
    nodeOf: (chainId) => ({ rpcUrl: findSvmChain(parts, chainId)?.url ?? "", chainId, signal }),
    solverOf: (chainId) => findSvmChain(parts, chainId)?.solver,
    ...(chain === undefined ? {} : { names: svmNames(parts, chain) }),
  });
  return markup`<h2>Replay</h2>${injectedNotes(facts)}${replays.map(
    ({ role: what, ...each }) => markup`${svmVerdict({ what, ...each })}\n${svmReportSections({ what, ...each })}`,
  )}`;
}
