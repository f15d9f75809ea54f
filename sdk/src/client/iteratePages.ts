import { PagingStuckError } from "./errors.ts";

/** A page of any listing. */
export interface Page<Item> {
  readonly requests: readonly Item[];
  readonly continuation: string | undefined;
}

/** How far a listing is followed. */
export interface IterateOptions {
  /** The most requests that are given; all when left out. */
  readonly limit?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The items of all pages, each id once, in whatever case it is written. It remembers the ids, so that items that move between pages while they are read
 * are neither given twice nor taken for new ones.
 *
 * @param fetchPage gets the page of a cursor
 * @param first the cursor to start from; undefined for the first page
 * @throws {@link PagingStuckError} when a cursor comes again, or a page that is not the last has known items only
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
      // A record whose id cannot be read is given each time that it comes.
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
    // An empty page is none of known items: a service may look through many requests that do not match.
    if (page.requests.length > 0 && listed === known) throw stuck("a page has known requests only");
    cursors.add(continuation);
  }
}
