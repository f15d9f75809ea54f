import type { RequestFilter } from "../../store/requests/filter.ts";
import {
  countRequests,
  type PositionedRow,
  positionOf,
  type RequestPage,
  type RequestSort,
} from "../../store/requests/listRequests.ts";
import type { Database } from "../../store/schema.ts";
import { type ContinuedQuery, decodeContinuation, encodeContinuation } from "./continuation.ts";

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
 * Takes one query, and a second one for the total.
 *
 * @throws {@link RefusalError} if the cursor belongs to another query
 */
export async function readPage<Row extends PositionedRow>(
  db: Database,
  listing: Listing,
  listRows: ListRows<Row>,
): Promise<ListedPage<Row>> {
  const { filter, sortBy, direction, limit, continuation } = listing;
  const query: ContinuedQuery = { sortBy, canonical: canonicalOf({ filter, sortBy, direction }) };
  const after = continuation === undefined ? {} : { after: decodeContinuation(continuation, query) };
  // An additional row shows whether another page follows.
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

/** Hexadecimal text ignores case. */
function canonicalOf(query: Pick<Listing, "filter" | "sortBy" | "direction">): string {
  return JSON.stringify(query).replace(/0x[\da-f]+/giu, (text) => text.toLowerCase());
}
