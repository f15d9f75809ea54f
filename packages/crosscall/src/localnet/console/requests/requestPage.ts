import { findQuotedChain, isSimulated } from "../../market/quotedChains.ts";
import { markup, type Markup } from "../../../replay/report/html/markup.ts";
import { section } from "../../../replay/report/html/page.ts";
import { shown } from "../../../replay/report/notation.ts";
import { requireScenario } from "../../scenarios/catalogue.ts";
import type { ScenarioName } from "../../scenarios/scenario.ts";
import type { ConsoleParts } from "../consoleParts.ts";
import { copyable, copyBlock, type Definition, definitions, statusBadge, timeText } from "../elements.ts";
import type { RequestFacts } from "./requestFacts.ts";
import { amountsSection, callsSection, feesSection, flowSection, orderSection } from "./requestSections.ts";
import { timeline } from "./timeline.ts";

type Parts = Pick<ConsoleParts, "chains" | "currencies" | "solver">;

/** Everything about a request but its replay. A change of the request replaces it as a whole. */
export async function requestMarkup(parts: Parts, facts: RequestFacts): Promise<Markup> {
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
      content: shown(`${nameOfChain(request.origin_chain_id)} → ${nameOfChain(request.destination_chain_id)}`, 80),
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

/** The scenario of a reason also says what an integrator does about it. */
function explain(label: string, reason: string, scenarioName: ScenarioName): readonly Definition[] {
  const { hint } = requireScenario(scenarioName, "reason");
  return [
    { label, content: markup`<strong class="error">${reason}</strong>` },
    { label: "to do", content: hint },
  ];
}

/** Whether there is a fill with calls to replay: sent, or tried and found to fail. */
export function hasReplay(parts: Pick<Parts, "chains">, { request, transactions, record }: RequestFacts): boolean {
  const chain = findQuotedChain(parts.chains, request.destination_chain_id);
  if (chain === undefined || isSimulated(chain)) return false;
  if (request.order_data.output.calls.length === 0) return false;
  return transactions.fill?.block_number != null || record.data.failedCallData != null;
}

/** A failed fill is replayed at once. */
export function replayPlace({ request }: RequestFacts): Markup {
  const trigger = request.fail_reason === null ? "click" : "load, click";
  return markup`<section id="replay"><h2>Replay</h2>
<p><a href="/console/requests/${request.id}/replay" hx-get="/console/requests/${request.id}/replay?part=1" hx-trigger="${trigger}" hx-target="#replay" hx-swap="innerHTML">Replay the fill</a>
<span class="quiet">on a fork of its chain: funds flow, calls, balances, and the cause of a failure</span></p></section>`;
}
