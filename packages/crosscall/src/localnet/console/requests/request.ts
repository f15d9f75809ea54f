import * as Type from "typebox";

import { AbortedError, CrosscallError } from "@crosscall/protocol/core";
import { createMutex } from "../../devchain/mutex.ts";
import { findQuotedChain, isSimulated } from "../../market/quotedChains.ts";
import { replay } from "../../../replay/replay.ts";
import { markup, type Markup } from "../../../replay/report/html/markup.ts";
import { facts as factList, section } from "../../../replay/report/html/page.ts";
import { notationOf, shown } from "../../../replay/report/notation.ts";
import { failureFacts, headlineOf } from "../../../replay/report/summary.ts";
import { reportSections } from "../../../replay/report/toReportHtml.ts";
import { requireScenario } from "../../scenarios/catalogue.ts";
import type { ScenarioName } from "../../scenarios/scenario.ts";
import type { ServiceApp } from "../../service/route.ts";
import { commandBlocks, requestCommands, serviceOf, serviceOptions } from "../commands.ts";
import type { KeyDisplay } from "../consoleParts.ts";
import type { ChainReader, Payer, Pricer, Recorder } from "../../market/market.ts";
import { alert, copyable, copyBlock, type Definition, definitions, statusBadge, timeText } from "../elements.ts";
import type { LiveChanges } from "../liveChanges.ts";
import type { Pages } from "../page.ts";
import { amountsSection, callsSection, feesSection, flowSection, orderSection } from "./requestSections.ts";
import { readRequest, type RequestFacts, timeline } from "./timeline.ts";

interface RequestParts extends Pricer, ChainReader, Payer, Recorder, KeyDisplay {
  readonly pages: Pages;
  readonly live: LiveChanges;
}

const params = Type.Object({ requestId: Type.String() });

/**
 * Adds the live page of a request. It shows the request's timeline, funds flow, fees, calls, order and failure, and the
 * replay of its fill.
 */
export function addRequestPage(scope: ServiceApp, parts: RequestParts): void {
  const { pages, live, clock } = parts;
  scope.get("/console/requests/:requestId", { schema: { hide: true, params } }, async (request, reply) => {
    const sinceSeconds = Math.floor(clock.now() / 1_000);
    const facts = await readRequest(parts, request.params.requestId);
    const { id } = facts.request;
    const rpcUrl = parts.chains.get(facts.request.destination_chain_id)?.rpcUrl;
    return pages.send(request, reply, {
      title: `Request ${id.slice(0, 10)}`,
      content: markup`<h1>Request</h1>
<div id="request" hx-ext="sse" sse-connect="/console/requests/${id}/events?since=${sinceSeconds}" sse-swap="request" hx-swap="innerHTML">
${await requestMarkup(parts, facts)}
</div>
${hasReplay(parts, facts) ? replayPlace(facts) : ""}
${commandBlocks(requestCommands(serviceOf(request, parts), id))}
${rpcUrl === undefined ? "" : copyBlock("Replay in a terminal", `crosscall replay ${id} ${serviceOptions(serviceOf(request, parts))} --rpc-url ${rpcUrl}`)}`,
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
          return isOld ? [] : [await requestMarkup(parts, facts)];
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

type Parts = Pricer & ChainReader & Payer;

/** Renders all data of a request except its replay. A change of the request replaces this whole part. */
async function requestMarkup(parts: Parts, facts: RequestFacts): Promise<Markup> {
  const nameOfChain = (chainId: number): string => findQuotedChain(parts.chains, chainId)?.name ?? String(chainId);
  return markup`${heading(facts, nameOfChain)}
${failureSection(facts)}
${section("Timeline", timeline(facts, nameOfChain))}
${amountsSection(facts)}
${feesSection(facts)}
${flowSection(parts, facts)}
${callsSection(parts, facts)}
${await orderSection(parts, facts)}
<details><summary>Record</summary>${copyBlock("Record", JSON.stringify(facts.record, null, 2))}</details>`;
}

function heading({ request }: RequestFacts, nameOfChain: (chainId: number) => string): Markup {
  return definitions([
    { label: "request", content: copyable(request.id) },
    { label: "status", content: statusBadge(request.status) },
    { label: "type", content: shown(request.request_type, 40) },
    {
      label: "route",
      content: shown(
        `${nameOfChain(request.origin_chain_id)}${request.input_count === 1 ? "" : ` and ${request.input_count - 1} more`} → ${nameOfChain(request.destination_chain_id)}`,
        80,
      ),
    },
    { label: "user", content: copyable(request.user) },
    { label: "recipient", content: request.recipient === request.user ? undefined : copyable(request.recipient) },
    { label: "refund to", content: request.refund_to === null ? undefined : copyable(request.refund_to) },
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
  ]);
}

function failureSection({ request, record }: RequestFacts): Markup {
  const { fail_reason, refund_fail_reason, fail_details } = request;
  if (fail_reason === null && refund_fail_reason === null) return markup``;
  const { failedTxHash, failedTxBlockNumber } = record.data;
  return section(
    "Failure",
    definitions([
      ...(fail_reason === null ? [] : explain("reason", fail_reason, fail_reason)),
      { label: "details", content: fail_details === null ? undefined : shown(fail_details) },
      ...(refund_fail_reason === null
        ? []
        : explain("refund failed", refund_fail_reason, `refund:${refund_fail_reason}`)),
      { label: "failed transaction", content: failedTxHash == null ? undefined : copyable(failedTxHash) },
      { label: "tried on block", content: failedTxBlockNumber == null ? undefined : String(failedTxBlockNumber) },
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

/** Returns whether the request has a fill with calls to replay: a sent fill, or a fill that failed in simulation. */
function hasReplay(parts: ChainReader, { request, transactions, record }: RequestFacts): boolean {
  const chain = findQuotedChain(parts.chains, request.destination_chain_id);
  if (chain === undefined || isSimulated(chain)) return false;
  if (request.order_data.output.calls.length === 0) return false;
  return transactions.fill?.block_number != null || record.data.failedCallData != null;
}

/** Renders the element that a replay fills. Failed fills are replayed when the page loads. */
function replayPlace({ request }: RequestFacts): Markup {
  const trigger = request.fail_reason === null ? "click" : "load, click";
  return markup`<section id="replay"><h2>Replay</h2>
<p><a href="/console/requests/${request.id}/replay" hx-get="/console/requests/${request.id}/replay?part=1" hx-trigger="${trigger}" hx-target="#replay" hx-swap="innerHTML">Replay the fill</a>
<span class="quiet">on a fork of its chain: funds flow, calls, balances, and the cause of a failure</span></p></section>`;
}

/** Runs one replay at a time, because a fork occupies the process. */
const runExclusive = createMutex();

/** Replays a fill, and shows the report of `crosscall replay`. */
function replaySection(
  { chains }: ChainReader,
  { request, record }: RequestFacts,
  signal: AbortSignal,
): Promise<Markup> {
  return runExclusive(async () => {
    const rpcUrl = chains.get(request.destination_chain_id)?.rpcUrl ?? "";
    try {
      const report = await replay({ input: { kind: "request", record }, rpcUrl, signal });
      const isGood = report.verdict.outcome === "success";
      return markup`<h2>Replay</h2><div class="verdict ${isGood ? "works" : "fails"}"><p><strong>${isGood ? "✓" : "✗"} ${headlineOf(report)}</strong></p>
${factList(failureFacts(report, notationOf(report)))}</div>
${reportSections(report)}`;
    } catch (error) {
      if (!(error instanceof CrosscallError)) throw error;
      return markup`<h2>Replay</h2>${alert(`${error.message}. ${error.hint}`)}`;
    }
  });
}
