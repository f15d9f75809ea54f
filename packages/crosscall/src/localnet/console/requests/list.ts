import type { TSchema } from "typebox";
import type { Address } from "viem";

import { STATUS_FILTERS } from "@crosscall/protocol/schema";
import { findQuotedChain } from "../../market/quotedChains.ts";
import { markup, type Markup } from "../../../replay/report/html/markup.ts";
import { shown } from "../../../replay/report/notation.ts";
import type { Caller } from "../../service/keys/keyRing.ts";
import { type Listing, readPage } from "../../service/listing/listing.ts";
import { type ListingQueryV3, ListingQueryV3Schema, parseListingV3 } from "../../service/listing/parseListingV3.ts";
import type { ServiceApp } from "../../service/route.ts";
import type { RequestFilter } from "../../store/requests/filter.ts";
import { listRequests } from "../../store/requests/listRequests.ts";
import { findHeldIds } from "../../store/fillHolds.ts";
import type { RequestRow } from "../../store/requests/requests.ts";
import { accountNames, type AccountNames } from "../accountNames.ts";
import { chainLabel } from "../chainLogo.ts";
import { commandBlocks, listCommands, type Service, serviceOf } from "../commands.ts";
import type { Controls } from "../controls.ts";
import { demoButtons, demoChoice } from "../demo.ts";
import type { KeyDisplay } from "../consoleParts.ts";
import type { ChainReader, Recorder } from "../../market/market.ts";
import { amountText, copyBlock, emptyState, secondsText, shortText, statusBadge } from "../elements.ts";
import type { Change, LiveChanges } from "../liveChanges.ts";
import type { Pages } from "../page.ts";

/** Number of rows to load at a time. */
const PAGE_ROWS = 50;

/**
 * Maximum number of missed changes that a page receives on reconnect. After more changes, the page must be reloaded.
 */
const MISSED_MAX = 200;

/** The console as a caller, which can read all requests, but no private fields of API keys. */
const CONSOLE_CALLER: Caller = {
  keyHash: "",
  integrator: "",
  ownKeyHashes: new Set(),
  ownKeyNames: new Map(),
  limits: {},
};

interface ListParts extends ChainReader, Recorder, KeyDisplay {
  readonly controls: Controls;
  readonly pages: Pages;
  readonly live: LiveChanges;
}

/** Adds the list of requests, newest first. More rows load when they come into view, and changes appear immediately. */
export function addRequestListPage(scope: ServiceApp, parts: ListParts): void {
  const { controls, pages, live, store, clock } = parts;
  const nameOfChain = (chainId: number): string => findQuotedChain(parts.chains, chainId)?.name ?? String(chainId);
  const names = accountNames(parts);
  const toRows = async (rows: readonly RequestRow[]): Promise<Markup[]> => {
    const open = rows.filter(({ status }) => OPEN_STATUSES.includes(status)).map(({ id }) => id);
    const held = await findHeldIds(store.db, open);
    return rows.map((row) => requestRow(row, { isHeld: held.has(row.id), names, nameOfChain }));
  };
  const readRows = async (query: RequestFilters): Promise<{ readonly rows: Markup[]; readonly more: Markup }> => {
    const { rows, envelope } = await readPage(store.reader, toListing(query), listRequests);
    return {
      rows: await toRows(rows),
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
      content: markup`<div class="title"><h1>Requests</h1>${controls.mayChange(request) ? demoChoice() : ""}</div>
${filterForm(query)}
<p id="missed" hidden role="alert">Many requests have changed. <a href="">Load the list again</a></p>
<div id="rows" class="rows" role="table" aria-label="Requests, newest first" hx-ext="sse" sse-connect="${events}" sse-swap="request" hx-swap="none">
${headRow()}
<div role="rowgroup" class="page">${rows}</div>
</div>
${toQuery(query) === "" ? firstSteps(controls.mayChange(request), serviceOf(request, parts)) : noMatches()}
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
      // Removes `since`, which is not a filter.
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
    return toRows(changed.toReversed());
  }
}

declare module "fastify" {
  interface FastifyRequest {
    /** Time of the data on a console page, in Unix seconds. */
    sinceSeconds: number;
  }
}

/** Statuses in which a fill can be held. */
const OPEN_STATUSES: readonly string[] = ["waiting", "depositing", "pending"];

/** Renders what to do first. The page hides it as soon as the list has a row. */
function firstSteps(mayChange: boolean, { url }: Service): Markup {
  const run = mayChange
    ? demoButtons()
    : markup`<p>To run it here, enter the admin key above, or open the sign-in link that <code>crosscall up</code> prints.</p>`;
  return markup`<div class="first">${emptyState(
    "Send your first cross-chain request",
    markup`<p>A demo request pays 0.01 ETH on the first chain and deposits the USDC into a vault on the second one. You see the deposit, the fill, the calls and the fees as they happen.</p>
${run}
<ol class="steps">
<li><strong>From a terminal</strong> ${copyBlock("Send a request", `crosscall trigger success --url ${url}`)}</li>
<li><strong>Your own calls</strong> <p>Check, quote and simulate a request in the <a href="/console/quote">quote composer</a>.</p></li>
<li><strong>One fill at a time</strong> <p>Hold fills, then release each one with the outcome you choose, on the <a href="/console/fills">fills board</a>.</p></li>
</ol>`,
  )}</div>`;
}

function noMatches(): Markup {
  return emptyState(
    "No request matches these filters",
    markup`<p>New requests that match appear here. <a href="/console/requests">Show all requests</a></p>`,
  );
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

/**
 * Renders the element that loads more rows into the table. It is below the table, because a table can only contain
 * rows.
 */
function moreMarkup(query: string, continuation: string | undefined): Markup {
  if (continuation === undefined) return markup`<p id="more" class="quiet" hx-swap-oob="true"></p>`;
  const next = `${query}${query === "" ? "" : "&"}continuation=${encodeURIComponent(continuation)}`;
  return markup`<p id="more" hx-swap-oob="true" hx-get="/console/requests/rows?${next}" hx-trigger="revealed" hx-target="#rows" hx-swap="beforeend"><a href="/console/requests?${next}">Next page</a></p>`;
}

/** Parameters to omit: those that the page sets itself, secret keys, and those without effect. */
const LEFT_OUT: readonly string[] = [
  "apiKey",
  "continuation",
  "includeAuthenticatedData",
  "includeTotal",
  "limit",
  "privateChainsToInclude",
  "sortBy",
  "sortDirection",
];

const FIRST: readonly string[] = ["term", "status", "user", "chainId"];

const FIELDS = Object.entries(ListingQueryV3Schema.properties)
  .filter(([name]) => !LEFT_OUT.includes(name))
  .map(([name, schema]) => ({ name, description: descriptionOf(schema) }));

/** Lists all filters of the form. */
export const FILTER_NAMES: readonly string[] = FIELDS.map(({ name }) => name);

/** Filters of `GET /requests/v3`. */
export type RequestFilters = ListingQueryV3;

/** Removes empty fields, which forms also send. */
function withoutEmpty(query: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== ""));
}

/** Returns a query such as `status=success&user=0x…`, without the omitted parameters. */
function toQuery(filters: RequestFilters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (!LEFT_OUT.includes(name)) query.set(name, String(value));
  return query.toString();
}

function filterForm(filters: RequestFilters): Markup {
  const [first, rest] = [FIRST, FILTER_NAMES.filter((name) => !FIRST.includes(name))];
  const isOpen = rest.some((name) => valueOf(filters, name) !== "");
  return markup`<form class="filters" role="search" aria-label="Filter requests" method="get" action="/console/requests">
<div class="fields">${first.map((name) => field(name, filters))}</div>
<details${isOpen ? markup` open` : ""}><summary>More filters</summary><div class="fields">${rest.map((name) => field(name, filters))}</div></details>
<p><button>Filter</button> <a href="/console/requests">Clear</a></p>
</form>`;
}

function field(name: string, filters: RequestFilters): Markup {
  const value = valueOf(filters, name);
  const description = FIELDS.find((one) => one.name === name)?.description;
  if (name === "status") {
    const options = ["", ...STATUS_FILTERS].map(
      (status) =>
        markup`<option value="${status}"${status === value ? markup` selected` : ""}>${status === "" ? "any" : status}</option>`,
    );
    return markup`<label title="${description}">status <select name="status">${options}</select></label>`;
  }
  const type = name === "term" ? markup` type="search" placeholder="id, hash or address"` : "";
  return markup`<label title="${description}">${name} <input name="${name}" value="${value}" autocomplete="off" spellcheck="false"${type}></label>`;
}

function valueOf(filters: RequestFilters, name: string): string {
  const value = Object.entries(filters).find(([key]) => key === name)?.[1];
  return value === undefined ? "" : String(value);
}

function descriptionOf(schema: TSchema): string {
  return "description" in schema && typeof schema.description === "string" ? schema.description : "";
}

const COLUMNS = ["request", "status", "in", "out", "user", "type", "created"] as const;

/** Returns the sort key in the list: creation time, then id. */
function keyOf({ created_at, id }: RequestRow): string {
  return `${String(created_at.getTime()).padStart(16, "0")}-${id}`;
}

interface RowFacts {
  readonly isHeld: boolean;
  readonly names: AccountNames;
  readonly nameOfChain: (chainId: number) => string;
}

/**
 * Renders a row. Rows have no `id`, because htmx would search all rows for each id, which takes longer than rendering.
 */
function requestRow(request: RequestRow, { isHeld, names, nameOfChain }: RowFacts): Markup {
  const { origin_chain_id, destination_chain_id } = request;
  const { id, created_at, status, user, request_type, fail_reason, details } = request;
  const { currencyIn, currencyOut } = details;
  return markup`<div role="row" class="row" data-id="${id}" data-sort="${keyOf(request)}"><span role="cell" class="request"><a href="/console/requests/${id}">${shortText(id)}</a></span><span role="cell" class="state">${statusBadge(status, isHeld)}${fail_reason === null ? "" : markup` <span class="quiet" title="${fail_reason}">${shown(fail_reason)}</span>`}</span><span role="cell" class="in">${chainLabel(origin_chain_id, nameOfChain(origin_chain_id))} ${amountText(currencyIn.amountFormatted, request.origin_symbol, currencyIn.amountUsd)}</span><span role="cell" class="out">${chainLabel(destination_chain_id, nameOfChain(destination_chain_id))} ${amountText(currencyOut.amountFormatted, request.destination_symbol, currencyOut.amountUsd)}</span><span role="cell" class="user">${names[user.toLowerCase() as Address] ?? shortText(user)}</span><span role="cell" class="type">${shown(request_type, 24)}</span><span role="cell" class="created">${secondsText(created_at)}</span></div>`;
}

function headRow(): Markup {
  return markup`<div role="rowgroup"><div role="row" class="row head">${COLUMNS.map((column) => markup`<span role="columnheader" class="${column === "status" ? "state" : column}">${column}</span>`)}</div></div>`;
}
