import type { RequestRecord } from "@crosscall/protocol/complete";
import { FAIL_REASONS } from "@crosscall/protocol/schema";
import { rejectUnknown } from "../../market/rejection.ts";
import { markup, type Markup } from "../../../replay/report/html/markup.ts";
import { shown } from "../../../replay/report/notation.ts";
import { readInjected } from "../../scenarios/injected.ts";
import type { ScenarioName } from "../../scenarios/scenario.ts";
import { findHeldFill } from "../../store/fillHolds.ts";
import { type ListedTransaction, listTransactions } from "../../store/transactions.ts";
import { type RequestTransactions, selectTransactions } from "../../service/records/requestTransactions.ts";
import { toRequestRecord } from "../../service/records/toRequestRecord.ts";
import { findRequest, type RequestRow } from "../../store/requests/requests.ts";
import { listTransitions, type TransitionRow } from "../../store/requests/transitions.ts";
import type { ChainReader, LedgerUser, Pricer, StoreUser } from "../../market/market.ts";
import { chainLabel } from "../chainLogo.ts";
import { clockText, copyable, heldBadge, statusBadge } from "../elements.ts";
import { svmTransactionLink } from "../svm.ts";

interface Entry {
  /** Time on the service's clock. A chain's clock can differ, and only has whole seconds. */
  readonly at: Date;
  /** Position among entries with the same time. */
  readonly rank: number;
  readonly kind: "service" | "origin" | "destination" | "held" | "bad";
  readonly content: Markup;
}

const FINAL = ["success", "failure", "refund"];

/** Returns events of the service and events in blocks of both chains, in the order of the service's clock. */
export function timeline(parts: LedgerUser, facts: RequestFacts, nameOfChain: (chainId: number) => string): Markup {
  const { request, transactions, transitions, held } = facts;
  const { deposits, fill, refunds, excess, recovery, payment } = transactions;
  const blocks: readonly (readonly [string, ListedTransaction | undefined, number])[] = [
    ["payment to the deposit address", payment, 1],
    ...deposits.map((row) => ["deposit", row, 2] as const),
    ["fill", fill, 4],
    ...refunds.map((row) => ["refund", row, 5] as const),
    ["refund of the excess", excess, 5],
    ["withdrawal to the recovery address", recovery, 5],
  ];
  const entries: Entry[] = [
    {
      at: request.created_at,
      rank: 0,
      kind: "service",
      content: markup`${statusBadge("waiting")} quoted; the service waits for the deposit`,
    },
    ...blocks.flatMap(([what, row, rank]) =>
      row === undefined ? [] : [blockEntry(parts, what, row, rank, facts, nameOfChain)],
    ),
    ...transitions.flatMap(stateEntry),
    ...(held === undefined ? [] : holdEntries(held)),
  ];
  const sorted = entries.toSorted((a, b) => a.at.getTime() - b.at.getTime() || a.rank - b.rank);
  const start = sorted[0]?.at ?? request.created_at;
  return markup`<ol class="timeline">${sorted.map(
    ({ at, kind, content }) =>
      markup`<li class="${kind}"><span class="when">${clockText(at)} <span class="quiet">${sinceText(at, start)}</span></span><span>${content}</span></li>\n`,
  )}</ol>`;
}

/** Describes a transition. A transition without a new state only has a reason, such as a failReason. */
function stateEntry({ at, from_status, to_status, reason }: TransitionRow): readonly Entry[] {
  const why = reason === null ? "" : markup` <span class="quiet">${shown(reason)}</span>`;
  if (from_status === to_status) {
    if (reason === null) return [];
    const isFailure = (FAIL_REASONS as readonly string[]).includes(reason);
    const content = markup`<strong>${isFailure ? "failed" : shown(reason)}</strong>${isFailure ? why : ""}`;
    return [{ at, rank: 3, kind: "bad", content }];
  }
  const rank = FINAL.includes(to_status) ? 6 : 3;
  return [{ at, rank, kind: "service", content: markup`${statusBadge(to_status)}${why}` }];
}

function holdEntries({ held_at, released_at }: HeldTimes): readonly Entry[] {
  return [
    { at: held_at, rank: 3.5, kind: "held", content: markup`${heldBadge()} the solver waits for a release` },
    ...(released_at === null
      ? []
      : [{ at: released_at, rank: 3.6, kind: "held", content: markup`<strong>released</strong>` } as const]),
  ];
}

function sinceText(at: Date, start: Date): string {
  const ms = at.getTime() - start.getTime();
  return ms < 1_000 ? `+${ms} ms` : `+${(ms / 1_000).toFixed(1)} s`;
}

function blockEntry(
  parts: LedgerUser,
  what: string,
  row: ListedTransaction,
  rank: number,
  { request, transitions }: RequestFacts,
  nameOfChain: (chainId: number) => string,
): Entry {
  const { chain_id, hash, status, block_number, created_at, gas_used } = row;
  // A fill is signed before the request becomes `submitted`, and sent afterwards.
  const sentAt = rank === 4 ? transitions.findLast(({ to_status }) => to_status === "submitted")?.at : undefined;
  const block = block_number === null ? "not in a block yet" : `in block ${block_number}`;
  const isOfInput = chain_id === request.origin_chain_id || request.input_count > 1;
  return {
    at: sentAt !== undefined && sentAt > created_at ? sentAt : created_at,
    rank,
    kind: isOfInput && rank !== 4 ? "origin" : "destination",
    content: markup`<strong>${what}</strong>${status === "failure" ? markup` <span class="error">failed</span>` : ""} ${block} of ${chainLabel(chain_id, nameOfChain(chain_id))}${gas_used === null ? "" : `, ${gas_used.toLocaleString("en-US")} gas`} ${hash === "" ? "" : copyable(hash)}${svmTransactionLink(parts, chain_id, hash, what)}`,
  };
}

interface HeldTimes {
  readonly held_at: Date;
  readonly released_at: Date | null;
}

/** Returns whether the fill waits for its release. */
export function isHeld({ held, request }: RequestFacts): boolean {
  return held?.released_at === null && request.fail_reason === null && !FINAL.includes(request.status);
}

/** All stored data of a request, for its page. */
export interface RequestFacts {
  readonly request: RequestRow;
  readonly transactions: RequestTransactions;
  readonly transitions: readonly TransitionRow[];
  /** When the fill was held and released; undefined if it was never held. */
  readonly held: HeldTimes | undefined;
  /** Scenarios that affect the request. */
  readonly scenarios: readonly ScenarioName[];
  /** Record as returned by the API. */
  readonly record: RequestRecord;
}

/** @throws {@link RejectionError} if the request has no timeline */
export async function readRequest(parts: Pricer & ChainReader & StoreUser, requestId: string): Promise<RequestFacts> {
  const { db } = parts.store;
  const request = await findRequest(db, requestId);
  if (request === undefined) throw rejectUnknown(`request ${requestId}`);
  const rows = await listTransactions(db, [request.id]);
  return {
    request,
    transactions: selectTransactions(request, rows),
    transitions: await listTransitions(db, request.id),
    held: await findHeldFill(db, request.id),
    scenarios: await readInjected(db, request.id),
    record: toRequestRecord(parts, request, rows, { isAuthenticated: false }),
  };
}
