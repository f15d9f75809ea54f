import { expect } from "chai";
import fc from "fast-check";

import { createServiceClient } from "../../../../packages/sdk/src/client/client.ts";
import {
  type IterateOptions,
  iteratePages,
  type IteratePagesParameters,
  type Page,
} from "../../../../packages/sdk/src/client/iteratePages.ts";
import { iterateRequests } from "../../../../packages/sdk/src/client/listRequests.ts";
import type { RequestQuery } from "../../../../packages/sdk/src/client/requestQuery.ts";
import { factsOf, rejected } from "../../../support/rejection.ts";
import { requestRecord } from "../../protocol/fixtures.ts";
import { useService } from "./service.ts";

interface Item {
  readonly id?: string | null | undefined;
}

/** Serves pages, with page numbers as cursors. */
function pagesOf(pages: readonly (readonly string[])[]): (continuation: string | undefined) => Promise<Page<Item>> {
  return (continuation) => {
    const index = Number(continuation ?? 0);
    return Promise.resolve({
      items: (pages[index] ?? []).map((id) => ({ id })),
      continuation: index + 1 < pages.length ? String(index + 1) : undefined,
    });
  };
}

async function collect(items: AsyncIterable<Item>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of items) ids.push(id ?? "no id");
  return ids;
}

describe("iteratePages", () => {
  const iterateFrom = (fetchPage: IteratePagesParameters<Item>["fetchPage"], first?: string, limit?: number) =>
    iteratePages({ endpoint: "GET /", fetchPage, idOf: ({ id }) => id, first, limit });
  const iterate = (...pages: string[][]) => iterateFrom(pagesOf(pages));

  it("yields every item of any sequence of pages once, in order", async () => {
    // New items can arrive between pages, so a page can start with the end of the previous page.
    const arbitrary = fc.array(fc.array(fc.nat({ max: 30 }).map(String), { maxLength: 6 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        arbitrary,
        fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
        async (pages, limit) => {
          const known = new Set<string>();
          const progressing = pages.filter((page, index) => {
            const isNew = page.length === 0 || index === pages.length - 1 || page.some((id) => !known.has(id));
            if (isNew) for (const id of page) known.add(id);
            return isNew;
          });
          const ids = await collect(iterateFrom(pagesOf(progressing), undefined, limit));
          expect(ids).to.deep.equal([...new Set(progressing.flat())].slice(0, limit));
        },
      ),
    );
  });

  it("continues after empty pages, and ends after a last page without new items", async () => {
    expect(await collect(iterate(["a"], [], [], ["b"], ["a"]))).to.deep.equal(["a", "b"]);
  });

  it("yields the new items on a page with a repeated cursor, then fails", async () => {
    const cursors = ["x", "y", "x"];
    let page = 0;
    const seen: string[] = [];
    const failed = rejected(
      (async () => {
        const fetchPage = () => Promise.resolve({ items: [{ id: String(page) }], continuation: cursors[page++]! });
        for await (const { id } of iterateFrom(fetchPage, undefined)) seen.push(id ?? "");
      })(),
    );
    expect(factsOf(await failed)).to.deep.equal({
      code: "PAGING_STUCK",
      endpoint: "GET /",
      continuation: "x",
      listed: 3,
    });
    expect(seen).to.deep.equal(["0", "1", "2"]);
  });

  it("treats its start cursor as already seen", async () => {
    const fetchPage = () => Promise.resolve({ items: [{ id: "a" }], continuation: "start" });
    const failed = await rejected(collect(iterateFrom(fetchPage, "start")));
    expect(factsOf(failed)).to.include({ code: "PAGING_STUCK", continuation: "start", listed: 1 });
  });

  it("fails on a page without new items that has a new cursor", async () => {
    const failed = await rejected(collect(iterate(["a", "b"], ["b", "a"], ["c"])));
    expect(factsOf(failed)).to.include({ code: "PAGING_STUCK", continuation: "2", listed: 2 });
  });

  it("requests no page beyond the limit or before it is needed", async () => {
    let fetched = 0;
    const pages = pagesOf([["a", "b"], ["c", "d"], ["e"]]);
    const fetchPage = (continuation: string | undefined) => {
      fetched += 1;
      return pages(continuation);
    };
    expect(await collect(iterateFrom(fetchPage, undefined, 4))).to.deep.equal(["a", "b", "c", "d"]);
    expect(fetched).to.equal(2);
    for await (const { id } of iterateFrom(fetchPage, undefined)) if (id === "b") break;
    expect(fetched).to.equal(3);
  });
});

describe("iterateRequests", () => {
  const service = useService();
  const iterate = (query?: RequestQuery, options?: IterateOptions) =>
    iterateRequests(createServiceClient({ baseUrl: service.url, apiKey: "key" }), query, options);
  const servePages = (...pages: string[][]): void => {
    service.answers = ({ url }) => {
      const index = Number(new URL(url ?? "", service.url).searchParams.get("continuation") ?? 0);
      return {
        json: {
          requests: (pages[index] ?? []).map((id) => ({ ...requestRecord, id })),
          ...(index + 1 < pages.length ? { continuation: String(index + 1) } : {}),
        },
      };
    };
  };
  const urls = () => service.calls.map(({ url }) => url);

  it("follows the cursor with the same query and the largest page size", async () => {
    servePages(["a", "b"], ["b", "c"]);
    expect(await collect(iterate({ status: "success" }))).to.deep.equal(["a", "b", "c"]);
    expect(urls()).to.deep.equal([
      "/requests/v3?status=success&limit=50",
      "/requests/v3?status=success&limit=50&continuation=1",
    ]);
  });

  it("starts from a given cursor, with the given page size", async () => {
    servePages(["a"], ["b"]);
    expect(await collect(iterate({ limit: 7, continuation: "1" }))).to.deep.equal(["b"]);
    expect(urls()).to.deep.equal(["/requests/v3?limit=7&continuation=1"]);
  });

  it("requests no more items than the limit", async () => {
    servePages(["a", "b", "c"], ["d"]);
    expect(await collect(iterate({}, { limit: 2 }))).to.deep.equal(["a", "b"]);
    expect(urls()).to.deep.equal(["/requests/v3?limit=2"]);
  });

  for (const limit of [0, -1, 1.5, Number.NaN]) {
    it(`rejects ${limit} as a limit`, () => {
      expect(() => iterate({}, { limit }))
        .to.throw()
        .with.property("code", "INVALID_INPUT");
    });
  }

  it("ends when the signal aborts between two pages", async () => {
    servePages(["a"], ["b"]);
    const controller = new AbortController();
    const seen: string[] = [];
    const failed = rejected(
      (async () => {
        for await (const { id } of iterate({}, { signal: controller.signal })) {
          seen.push(id ?? "no id");
          controller.abort();
        }
      })(),
    );
    expect((await failed).code).to.equal("ABORTED");
    expect([seen, service.calls.length]).to.deep.equal([["a"], 1]);
  });
});
