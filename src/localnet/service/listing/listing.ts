import { countRequests, listRequests, positionOf, type RequestSort } from "../../../store/listRequests.ts";
import type { RequestFilter } from "../../../store/requestFilter.ts";
import type { RequestRow, TransactionRow } from "../../../store/schema.ts";
import type { Database } from "../../../store/store.ts";
import { listTransactions } from "../../../store/transactions.ts";
import { type ContinuedQuery, decodeContinuation, encodeContinuation } from "./continuation.ts";

/** What a listing asks for, whichever version it is of. */
export interface Listing {
  readonly filter: RequestFilter;
  readonly sortBy: RequestSort;
  readonly direction: "asc" | "desc";
  readonly limit: number;
  readonly continuation: string | undefined;
  readonly includesTotal: boolean;
}

/** The rows of one page. */
export interface ListedPage {
  readonly rows: readonly RequestRow[];
  /** Those of all rows together. */
  readonly transactions: readonly TransactionRow[];
  /** What the answer carries beside the requests. */
  readonly envelope: { readonly continuation?: string; readonly total?: number };
}

/**
 * Reads a page: two queries, and a third where the total is asked for, whatever the page's size.
 *
 * @throws {@link RefusalError} when the cursor is not of this query
 */
export async function readPage(db: Database, listing: Listing): Promise<ListedPage> {
  const { filter, sortBy, direction, limit, continuation } = listing;
  const query: ContinuedQuery = { sortBy, canonical: canonicalOf({ filter, sortBy, direction }) };
  const after = continuation === undefined ? {} : { after: decodeContinuation(continuation, query) };
  // One row more than the page tells whether another page follows.
  const found = await listRequests(db, { filter, sortBy, direction, limit: limit + 1, ...after });
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return {
    rows,
    transactions: await listTransactions(
      db,
      rows.map(({ id }) => id),
    ),
    envelope: {
      ...(last === undefined ? {} : { continuation: encodeContinuation(positionOf(last, sortBy), query) }),
      ...(listing.includesTotal ? { total: await countRequests(db, filter) } : {}),
    },
  };
}

/** Hexadecimal is one whatever its case. */
function canonicalOf(query: Pick<Listing, "filter" | "sortBy" | "direction">): string {
  return JSON.stringify(query).replace(/0x[\da-f]+/giu, (text) => text.toLowerCase());
}
