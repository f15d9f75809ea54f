import { markup, type Markup } from "../../../replay/report/html/markup.ts";
import type { Caller } from "../../service/keys/keyRing.ts";
import { type Listing, readPage } from "../../service/listing/listing.ts";
import { ListingQueryV3Schema } from "../../service/listing/listingQueryV3.ts";
import { parseListingV3 } from "../../service/listing/parseListingV3.ts";
import type { ServiceApp } from "../../service/route.ts";
import { findQuotedChain } from "../../market/quotedChains.ts";
import type { RequestFilter } from "../../store/requests/filter.ts";
import { listRequests } from "../../store/requests/listRequests.ts";
import { commandBlocks, listCommands } from "../commands.ts";
import type { ConsoleParts } from "../consoleParts.ts";
import type { Change, LiveChanges } from "../liveChanges.ts";
import type { Pages } from "../page.ts";
import { serviceOf } from "../serviceOf.ts";
import { filterForm, type RequestFilters, toQuery, withoutEmpty } from "./filterForm.ts";
import { headRow, requestRow } from "./rows.ts";

/** Rows of one load. */
const PAGE_ROWS = 50;

/** Changes that a page takes at once after it was away; above this, it must be loaded again. */
const MISSED_MAX = 200;

/** The console sees all requests, and no key's private fields. */
const CONSOLE_CALLER: Caller = {
  keyHash: "",
  integrator: "",
  ownKeyHashes: new Set(),
  ownKeyNames: new Map(),
  limits: {},
};

interface ListParts extends Pick<ConsoleParts, "chains" | "clock" | "shownApiKey" | "store"> {
  readonly pages: Pages;
  readonly live: LiveChanges;
}

/** The list of requests, the newest first: further pages load when they come into view, and changes appear at once. */
export function addRequestListPage(scope: ServiceApp, parts: ListParts): void {
  const { pages, live, store, clock } = parts;
  const nameOfChain = (chainId: number): string => findQuotedChain(parts.chains, chainId)?.name ?? String(chainId);
  const readRows = async (query: RequestFilters): Promise<{ readonly rows: Markup[]; readonly more: Markup }> => {
    const { rows, envelope } = await readPage(store.reader, toListing(query), listRequests);
    return {
      rows: rows.map((row) => requestRow(row, nameOfChain)),
      more: moreMarkup(toQuery(query), envelope.continuation),
    };
  };
  const options = {
    schema: { hide: true, querystring: ListingQueryV3Schema },
    preValidation: (request: { query: unknown }, _reply: unknown, done: () => void): void => {
      request.query = withoutEmpty(request.query);
      done();
    },
  } as const;

  scope.get("/console/requests", options, async (request, reply) => {
    const { query } = request;
    const sinceSeconds = Math.floor(clock.now() / 1_000);
    const { rows, more } = await readRows(query);
    const events = `/console/requests/events?since=${sinceSeconds}&${toQuery(query)}`;
    return pages.send(request, reply, {
      title: "Requests",
      content: markup`<h1>Requests</h1>
${filterForm(query)}
<p id="missed" hidden role="alert">Many requests have changed. <a href="">Load the list again</a></p>
<div id="rows" class="rows" role="table" aria-label="Requests, the newest first" hx-ext="sse" sse-connect="${events}" sse-swap="request" hx-swap="none">
${headRow()}
<div role="rowgroup" class="page">${rows}</div>
</div>
${more}
${commandBlocks(listCommands(serviceOf(request, parts), new URLSearchParams(toQuery(query))))}`,
    });
  });

  scope.get("/console/requests/rows", options, async ({ query }, reply) => {
    const { rows, more } = await readRows(query);
    return pages.sendPart(reply, markup`<div role="rowgroup" class="page">${rows}</div>${more}`);
  });

  scope.get(
    "/console/requests/events",
    {
      ...options,
      // The time is not a filter.
      preValidation: (request, _reply, done) => {
        const { since, ...query } = withoutEmpty(request.query);
        request.query = query;
        request.sinceSeconds = Number(since ?? 0);
        done();
      },
    },
    (request, reply) => {
      const { filter } = toListing(request.query);
      live.serve(request, reply, {
        sinceSeconds: request.sinceSeconds,
        render: async (change) => renderChange(change, filter),
      });
    },
  );

  async function renderChange(change: Change, filter: RequestFilter): Promise<readonly Markup[]> {
    const changed = await listRequests(store.reader, {
      filter: restrict(filter, change),
      sortBy: "createdAt",
      direction: "desc",
      limit: MISSED_MAX + 1,
    });
    if (changed.length > MISSED_MAX) return [markup`<p data-missed></p>`];
    if ("requestId" in change && changed.length === 0) return [markup`<p data-gone="${change.requestId}"></p>`];
    return changed.toReversed().map((row) => requestRow(row, nameOfChain));
  }
}

declare module "fastify" {
  interface FastifyRequest {
    /** Unix seconds of what a page of the console shows. */
    sinceSeconds: number;
  }
}

function toListing(query: RequestFilters): Listing {
  return {
    ...parseListingV3({ ...query, sortBy: "createdAt", sortDirection: "desc" }, CONSOLE_CALLER),
    limit: PAGE_ROWS,
  };
}

function restrict(filter: RequestFilter, change: Change): RequestFilter {
  return "requestId" in change
    ? { ...filter, conditions: [...filter.conditions, { field: "id", values: [change.requestId], isNegated: false }] }
    : { ...filter, ranges: [...filter.ranges, { field: "updatedAt", min: String(change.sinceSeconds) }] };
}

/** Below the table, since a table has rows only. The rows that it loads go into the table. */
function moreMarkup(query: string, continuation: string | undefined): Markup {
  if (continuation === undefined) return markup`<p id="more" class="quiet" hx-swap-oob="true">That is all.</p>`;
  const next = `${query}${query === "" ? "" : "&"}continuation=${encodeURIComponent(continuation)}`;
  return markup`<p id="more" hx-swap-oob="true" hx-get="/console/requests/rows?${next}" hx-trigger="revealed" hx-target="#rows" hx-swap="beforeend"><a href="/console/requests?${next}">Next page</a></p>`;
}
