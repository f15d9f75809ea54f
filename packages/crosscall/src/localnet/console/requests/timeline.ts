import type { RequestRecord } from "@crosscall/protocol/complete";
import { rejectUnknown } from "../../market/rejection.ts";
import { markup, type Markup } from "../../../replay/report/html/markup.ts";
import { shown } from "../../../replay/report/notation.ts";
import { type ListedTransaction, listTransactions } from "../../store/transactions.ts";
import { type RequestTransactions, selectTransactions } from "../../service/records/requestTransactions.ts";
import { toRequestRecord } from "../../service/records/toRequestRecord.ts";
import { findRequest, type RequestRow } from "../../store/requests/requests.ts";
import { listTransitions, type TransitionRow } from "../../store/requests/transitions.ts";
import type { ChainReader, Pricer, StoreUser } from "../../market/market.ts";
import { copyable, timeText } from "../elements.ts";

interface Entry {
  /** Time on the clock of the chain or the service. */
  readonly at: Date;
  /** Time on the service's clock, for sorting, because a chain's clock can differ and only has whole seconds. */
  readonly seenAt: Date;
  /** Position among entries with the same time. */
  readonly rank: number;
  readonly place: "service" | "origin" | "destination";
  /** Name of the place. */
  readonly where: string;
  readonly content: Markup;
}

const FINAL = ["success", "failure", "refund"];

/** Returns events of the service and events in blocks of both chains, in the order of the service's clock. */
export function timeline(facts: RequestFacts, nameOfChain: (chainId: number) => string): Markup {
  const { request, transactions, transitions } = facts;
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
      seenAt: request.created_at,
      rank: 0,
      place: "service",
      where: "service",
      content: markup`<strong>quoted</strong>`,
    },
    ...blocks.flatMap(([what, row, rank]) =>
      row === undefined ? [] : [blockEntry(what, row, rank, facts, nameOfChain)],
    ),
    ...transitions.map(({ at, from_status, to_status, reason }): Entry => ({
      at,
      seenAt: at,
      rank: FINAL.includes(to_status) ? 6 : 3,
      place: "service",
      where: "service",
      content: markup`${from_status} → <strong>${to_status}</strong>${reason === null ? "" : markup` <span class="quiet">${shown(reason)}</span>`}`,
    })),
  ];
  const sorted = entries.toSorted((a, b) => a.seenAt.getTime() - b.seenAt.getTime() || a.rank - b.rank);
  return markup`<ol class="timeline">${sorted.map(
    ({ at, place, where, content }) =>
      markup`<li class="${place}"><span class="quiet">${timeText(at)} ${where}</span> ${content}</li>\n`,
  )}</ol>`;
}

function blockEntry(
  what: string,
  row: ListedTransaction,
  rank: number,
  { request, transitions }: RequestFacts,
  nameOfChain: (chainId: number) => string,
): Entry {
  const { chain_id, hash, status, block_number, block_timestamp, created_at, gas_used } = row;
  // A fill is signed before the request becomes `submitted`, and sent afterwards.
  const sentAt = rank === 4 ? transitions.findLast(({ to_status }) => to_status === "submitted")?.at : undefined;
  const block = block_number === null ? "in no block yet" : `in block ${block_number}`;
  const chainName = shown(nameOfChain(chain_id), 40);
  const isOfInput = chain_id === request.origin_chain_id || request.input_count > 1;
  return {
    at: block_timestamp === null ? created_at : new Date(block_timestamp * 1_000),
    seenAt: sentAt !== undefined && sentAt > created_at ? sentAt : created_at,
    rank,
    place: isOfInput && rank !== 4 ? "origin" : "destination",
    where: chainName,
    content: markup`<strong>${what}</strong>${status === "failure" ? markup` <span class="error">failed</span>` : ""} ${block} of ${chainName}${gas_used === null ? "" : `, ${gas_used} gas`} ${hash === "" ? "" : copyable(hash)}`,
  };
}

/** All stored data of a request, for its page. */
export interface RequestFacts {
  readonly request: RequestRow;
  readonly transactions: RequestTransactions;
  readonly transitions: readonly TransitionRow[];
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
    record: toRequestRecord(parts, request, rows, { isAuthenticated: false }),
  };
}
