import { doc } from "@crosscall/protocol/schema";
import { InvalidInputError } from "@crosscall/protocol/core";
import { PagingStuckError } from "./errors.ts";
import * as T from "@crosscall/protocol/schema/type";

/** Maximum page size (spec 1, section 8). */
const PAGE_MAX = 50;

/** Returns the caller's page size, or else the number of entries that the caller wants, up to the maximum. */
export function pageSizeOf(pageSize: number | undefined, wanted: number | undefined): number {
  if (wanted !== undefined && (!Number.isSafeInteger(wanted) || wanted < 1)) {
    throw new InvalidInputError({
      field: "limit",
      value: wanted,
      reason: "it must be an integer of one or more",
      hint: "Pass the maximum number of entries, or omit it to list all.",
    });
  }
  return pageSize ?? Math.min(PAGE_MAX, wanted ?? PAGE_MAX);
}

/** Records, which are parsed individually, so that an invalid record does not invalidate the page. */
export const RecordPageSchema = T.Object({
  requests: T.Array(T.Unknown()),
  continuation: T.Optional(T.String({ description: doc("Cursor of the next page; missing on the last page.") })),
  total: T.Optional(T.Integer({ description: doc("Number of all matches; only in v3.") })),
});

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly continuation: string | undefined;
}

export interface IterateOptions {
  /** Maximum number of requests or other entries. Defaults to unlimited. */
  readonly limit?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface IteratePagesParameters<Item> {
  /** For errors. */
  readonly endpoint: string;
  /** Fetches the page at a cursor. */
  readonly fetchPage: (continuation: string | undefined) => Promise<Page<Item>>;
  readonly idOf: (item: Item) => string | null | undefined;
  /** Cursor to start from; undefined for the first page. */
  readonly first?: string | undefined;
  readonly limit?: number | undefined;
}

/** Yields the items of all pages. Yields each id once (ignoring case), even if items move between pages. */
export async function* iteratePages<Item>({
  endpoint,
  fetchPage,
  idOf,
  first,
  limit = Infinity,
}: IteratePagesParameters<Item>): AsyncGenerator<Item, void, undefined> {
  const ids = new Set<string>();
  let listed = 0;
  const cursors = new Set<string>(first === undefined ? [] : [first]);
  let continuation = first;
  while (listed < limit) {
    const page = await fetchPage(continuation);
    const known = listed;
    for (const item of page.items) {
      if (listed === limit) return;
      // An item without a readable id is yielded each time.
      const id = idOf(item)?.toLowerCase();
      if (id !== undefined && ids.has(id)) continue;
      if (id !== undefined) ids.add(id);
      listed += 1;
      yield item;
    }
    continuation = page.continuation;
    if (continuation === undefined) return;
    const stuck = (reason: string): PagingStuckError =>
      new PagingStuckError({ endpoint, continuation: continuation ?? "", listed, reason });
    if (cursors.has(continuation)) throw stuck("a cursor repeats");
    // An empty page is allowed, because a service can scan many requests without a match.
    if (page.items.length > 0 && listed === known) throw stuck("a page contains only known requests");
    cursors.add(continuation);
  }
}
