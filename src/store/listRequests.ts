import { type RawBuilder, type SqlBool, sql } from "kysely";

import type { RequestFilter } from "./requestFilter.ts";
import { filterToSql } from "./requestFilterSql.ts";
import type { RequestRow } from "./schema.ts";
import type { Database } from "./store.ts";

/** What a listing can be sorted by. */
export type RequestSort = "createdAt" | "updatedAt" | "amountUsd";

/** A row's place in the order of a listing. */
export interface RequestPosition {
  /** What the listing is sorted by: Unix milliseconds for times, US dollars for amounts; decimal. */
  readonly sortValue: string;
  /** Orders rows whose sort value is the same. */
  readonly id: string;
}

/** A page of a listing. */
export interface RequestPage {
  readonly filter: RequestFilter;
  readonly sortBy: RequestSort;
  readonly direction: "asc" | "desc";
  readonly limit: number;
  /** The last row of the page before. */
  readonly after?: RequestPosition;
}

const COLUMNS = { createdAt: "created_at", updatedAt: "updated_at", amountUsd: "amount_usd" } as const;

/**
 * One page of requests: a keyset scan, so a deep page costs what the first one does.
 *
 * What pages guarantee together: no row twice and none missing, of those that were there when the first page was read
 * and whose sort value stays. `createdAt` and `amountUsd` never change. `updatedAt` does: a request that changes
 * between two pages is seen again in its new state with `asc`, and may be missed with `desc`. Requests that come in
 * between are seen where they sort behind the present page.
 */
export function listRequests(db: Database, page: RequestPage): Promise<RequestRow[]> {
  const [column, direction] = orderOf(page);
  // Orders are wide: only those of the page are read.
  return db
    .selectFrom(selectPage(db, page).as("requests"))
    .innerJoin("orders", "orders.request_id", "requests.id")
    .selectAll(["requests", "orders"])
    .orderBy(column, direction)
    .orderBy("requests.id", direction)
    .execute();
}

/** The rows of `requests` of a page, in its order. */
export function selectPage(db: Database, page: RequestPage) {
  const { sortBy, after } = page;
  const [column, direction] = orderOf(page);
  let select = db.selectFrom("requests").selectAll().limit(page.limit);
  for (const predicate of filterToSql(page.filter)) select = select.where(predicate);
  if (after !== undefined) {
    const row = sql`(${sql.ref(column)}, requests.id)`;
    const position = sql`(${sortValueToSql(sortBy, after.sortValue)}, ${after.id}::text)`;
    select = select.where(
      direction === "desc" ? sql<SqlBool>`${row} < ${position}` : sql<SqlBool>`${row} > ${position}`,
    );
  }
  return select.orderBy(column, direction).orderBy("requests.id", direction);
}

/** What a page is sorted by; the id breaks ties. */
export function orderOf({ sortBy, direction }: RequestPage) {
  return [`requests.${COLUMNS[sortBy]}`, direction] as const;
}

/** How many requests pass a filter. */
export async function countRequests(db: Database, filter: RequestFilter): Promise<number> {
  let select = db.selectFrom("requests").select(({ fn }) => fn.countAll<string | number>().as("count"));
  for (const predicate of filterToSql(filter)) select = select.where(predicate);
  return Number((await select.executeTakeFirstOrThrow()).count);
}

/** What of a row its place in a listing goes by. */
export type PositionedRow = Pick<RequestRow, "id" | "created_at" | "updated_at" | "amount_usd">;

/** The place of a row in a listing sorted so. */
export function positionOf(row: PositionedRow, sortBy: RequestSort): RequestPosition {
  const value = row[COLUMNS[sortBy]];
  return { sortValue: value instanceof Date ? value.getTime().toString() : value, id: row.id };
}

function sortValueToSql(sortBy: RequestSort, sortValue: string): RawBuilder<unknown> {
  return sortBy === "amountUsd"
    ? sql`${sortValue}::text::numeric`
    : sql`${new Date(Number(sortValue)).toISOString()}::text::timestamptz`;
}
