import { createHash } from "node:crypto";

import { rejectProblem } from "../../market/rejection.ts";
import type { RequestFilter } from "../../store/requests/filter.ts";
import {
  countRequests,
  type PositionedRow,
  positionOf,
  type RequestPage,
  type RequestPosition,
  type RequestSort,
} from "../../store/requests/listRequests.ts";
import type { Database } from "../../store/schema.ts";

export interface Listing {
  readonly filter: RequestFilter;
  readonly sortBy: RequestSort;
  readonly direction: "asc" | "desc";
  readonly limit: number;
  readonly continuation: string | undefined;
  readonly includesTotal: boolean;
}

export interface ListedPage<Row> {
  readonly rows: readonly Row[];
  readonly envelope: { readonly continuation?: string; readonly total?: number };
}

export type ListRows<Row> = (db: Database, page: RequestPage) => Promise<Row[]>;

/**
 * Lists requests with one query, and a second query for the total.
 *
 * @throws {@link RejectionError} if the cursor belongs to another query
 */
export async function readPage<Row extends PositionedRow>(
  db: Database,
  listing: Listing,
  listRows: ListRows<Row>,
): Promise<ListedPage<Row>> {
  const { filter, sortBy, direction, limit, continuation } = listing;
  const query: ContinuedQuery = { sortBy, canonical: canonicalOf({ filter, sortBy, direction }) };
  const after = continuation === undefined ? {} : { after: decodeContinuation(continuation, query) };
  // Reads one additional row to detect whether another page follows.
  const found = await listRows(db, { filter, sortBy, direction, limit: limit + 1, ...after });
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return {
    rows,
    envelope: {
      ...(last === undefined ? {} : { continuation: encodeContinuation(positionOf(last, sortBy), query) }),
      ...(listing.includesTotal ? { total: await countRequests(db, filter) } : {}),
    },
  };
}

/** Returns a query's canonical text, with hex in lower case, because hex is case-insensitive. */
function canonicalOf(query: Pick<Listing, "filter" | "sortBy" | "direction">): string {
  return JSON.stringify(query).replace(/0x[\da-f]+/giu, (text) => text.toLowerCase());
}

/** Query for which a cursor is valid. */
export interface ContinuedQuery {
  readonly sortBy: RequestSort;
  /** Text that determines the rows and their order. */
  readonly canonical: string;
}

/** End of the year 9999 in Unix milliseconds, which both JavaScript dates and the database support. */
const LAST_TIME_MS = 253_402_300_799_999;

/**
 * Encodes a cursor. The digest only detects misuse. A cursor contains no secret, because it reveals nothing that its
 * query does not.
 */
export function encodeContinuation({ sortValue, id }: RequestPosition, query: ContinuedQuery): string {
  const position = `${sortValue}_${id}`;
  return Buffer.from(`${position}_${digest(position, query)}`).toString("base64url");
}

/** @throws {@link RejectionError} if this service did not create the cursor for this query */
export function decodeContinuation(continuation: string, query: ContinuedQuery): RequestPosition {
  const text = Buffer.from(continuation, "base64url").toString();
  const [, position, sortValue, id, seal] = /^((-?\d{1,90}(?:\.\d{1,6})?)_(.+))_([0-9a-f]{32})$/su.exec(text) ?? [];
  if (
    position !== undefined &&
    sortValue !== undefined &&
    id !== undefined &&
    seal === digest(position, query) &&
    // Decoding ignores invalid characters, so require the canonical spelling.
    Buffer.from(text).toString("base64url") === continuation &&
    (query.sortBy === "amountUsd" || isTime(sortValue))
  ) {
    return { sortValue, id };
  }
  throw rejectProblem({
    errorCode: "INVALID_REQUEST",
    field: "continuation",
    value: continuation,
    reason: "is not a cursor of this query",
    hint: "Pass the continuation of the previous page unchanged, with the same filters and order. Omit it for the first page.",
  });
}

function isTime(sortValue: string): boolean {
  return /^\d+$/u.test(sortValue) && Number(sortValue) <= LAST_TIME_MS;
}

function digest(position: string, { canonical }: ContinuedQuery): string {
  return createHash("sha256").update(`${position}\n${canonical}`).digest("hex").slice(0, 32);
}
