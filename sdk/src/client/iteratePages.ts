import { PagingStuckError } from "./errors.ts";

export interface Page<Item> {
  readonly requests: readonly Item[];
  readonly continuation: string | undefined;
}

export interface IterateOptions {
  /** Maximum number of requests; unlimited by default. */
  readonly limit?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Yields the items of all pages, each id once, ignoring case, even if items move between pages.
 *
 * @param fetchPage returns the page of a cursor
 * @param first the cursor to start from; undefined for the first page
 * @throws {@link PagingStuckError} if a cursor repeats, or a page that is not the last has only known items
 */
export async function* iteratePages<Item extends { readonly id?: string | null | undefined }>(
  endpoint: string,
  fetchPage: (continuation: string | undefined) => Promise<Page<Item>>,
  first: string | undefined,
  limit = Infinity,
): AsyncGenerator<Item, void, undefined> {
  const ids = new Set<string>();
  let listed = 0;
  const cursors = new Set<string>(first === undefined ? [] : [first]);
  let continuation = first;
  while (listed < limit) {
    const page = await fetchPage(continuation);
    const known = listed;
    for (const item of page.requests) {
      if (listed === limit) return;
      // A record without a readable id is yielded each time.
      const id = item.id?.toLowerCase();
      if (id !== undefined && ids.has(id)) continue;
      if (id !== undefined) ids.add(id);
      listed += 1;
      yield item;
    }
    continuation = page.continuation;
    if (continuation === undefined) return;
    const stuck = (reason: string): PagingStuckError =>
      new PagingStuckError({ endpoint, continuation: continuation ?? "", listed, reason });
    if (cursors.has(continuation)) throw stuck("a cursor came again");
    // An empty page is allowed: a service may scan many requests that do not match.
    if (page.requests.length > 0 && listed === known) throw stuck("a page has known requests only");
    cursors.add(continuation);
  }
}
