import type { TSchema } from "typebox";

import { STATUS_FILTERS } from "@crosscall/protocol/schema";
import { markup, type Markup } from "../../../replay/report/html/markup.ts";
import { type ListingQueryV3, ListingQueryV3Schema } from "../../service/listing/listingQueryV3.ts";

/** What a page of the console decides itself, keys, which are secrets, and parameters without effect. */
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

/** Every filter that the form has. */
export const FILTER_NAMES: readonly string[] = FIELDS.map(({ name }) => name);

/** The filters of `GET /requests/v3`. */
export type RequestFilters = ListingQueryV3;

/** A form sends fields that were left empty, too. */
export function withoutEmpty(query: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== ""));
}

/** `status=success&user=0x…`, without what the page decides. */
export function toQuery(filters: RequestFilters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (!LEFT_OUT.includes(name)) query.set(name, String(value));
  return query.toString();
}

export function filterForm(filters: RequestFilters): Markup {
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
  const type = name === "term" ? markup` type="search"` : "";
  return markup`<label title="${description}">${name} <input name="${name}" value="${value}" autocomplete="off" spellcheck="false"${type}></label>`;
}

function valueOf(filters: RequestFilters, name: string): string {
  const value = Object.entries(filters).find(([key]) => key === name)?.[1];
  return value === undefined ? "" : String(value);
}

function descriptionOf(schema: TSchema): string {
  return "description" in schema && typeof schema.description === "string" ? schema.description : "";
}
