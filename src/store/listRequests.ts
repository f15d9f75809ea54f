import { type RawBuilder, type Selectable, sql } from "kysely";

import type { RequestFilter } from "./requestFilter.ts";
import { filterToBranches, filterToSql, type Predicate } from "./requestFilterSql.ts";
import { rangeToSql } from "./requestRangeSql.ts";
import type { RequestRow, RequestTable } from "./tables/requestTables.ts";
import type { Database } from "./store.ts";

export type RequestSort = "createdAt" | "updatedAt" | "amountUsd";

export interface RequestPosition {
  /** Decimal: Unix milliseconds for times, US dollars for amounts. */
  readonly sortValue: string;
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

type RequestHead = Selectable<RequestTable>;

const COLUMNS = { createdAt: "created_at", updatedAt: "updated_at", amountUsd: "amount_usd" } as const;

/**
 * One page of requests: a keyset scan, so a deep page costs what the first one does.
 *
 * What pages guarantee together: no row twice and none missing, of those that were there when the first page was read
 * and whose sort value stays. `createdAt` and `amountUsd` never change. `updatedAt` does: a request that changes
 * between two pages is seen again in its new state with `asc`, and may be missed with `desc`. Requests that come in
 * between are seen where they sort behind the present page.
 */
export async function listRequests(db: Database, page: RequestPage): Promise<RequestRow[]> {
  // Orders are wide, so only those of the page are read.
  const { rows } = await sql<RequestRow>`
    select requests.*, orders.* from ${await selectPage(db, page)} as requests
    join orders on orders.request_id = requests.id ${orderToSql(page)}`.execute(db);
  return rows;
}

export async function selectPage(db: Database, page: RequestPage): Promise<RawBuilder<RequestHead>> {
  return pageToSql(page, await hasFewClustered(db, page.filter));
}

export function orderToSql({ sortBy, direction }: RequestPage): RawBuilder<unknown> {
  const to = sql.raw(direction);
  return sql`order by ${sql.ref(`requests.${COLUMNS[sortBy]}`)} ${to}, requests.id ${to}`;
}

/** @param isClustered whether few requests match, created at about the same time */
export function pageToSql(page: RequestPage, isClustered: boolean): RawBuilder<RequestHead> {
  const column = sql.ref(`requests.${COLUMNS[page.sortBy]}`);
  const order = orderToSql(page);
  const place = placeToSql(page);
  const branches = filterToBranches(page.filter).map(({ conditions, isNarrow }) => {
    const all = [...conditions, ...place];
    const where = all.length === 0 ? sql`` : sql`where ${sql.join(all, sql` and `)}`;
    // `offset 0` is an optimization fence: the subquery is found by its conditions, not by walking the sort order.
    const source =
      isNarrow || isClustered ? sql`(select * from requests ${where} offset 0) as requests` : sql`requests ${where}`;
    return sql`(select requests.* from ${source} ${order} limit ${page.limit})`;
  });
  // Each branch yields at most a page; `union` drops duplicates.
  return branches.length === 1
    ? sql.join(branches)
    : sql`(select distinct on (${column}, requests.id) requests.*
          from (${sql.join(branches, sql` union all `)}) as requests ${order} limit ${page.limit})`;
}

const CLUSTERED_MAX = 20_000;

/**
 * Requests in a range of blocks were created at about the same time. PostgreSQL assumes that they are spread evenly,
 * and would walk the sort order through everything newer.
 */
async function hasFewClustered(db: Database, { ranges }: RequestFilter): Promise<boolean> {
  const blocks = ranges.filter(({ field }) => field === "depositBlock").flatMap(rangeToSql);
  if (blocks.length === 0) return false;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from requests where ${sql.join(blocks, sql` and `)} limit ${CLUSTERED_MAX}
    ) as found`.execute(db);
  return (rows[0]?.count ?? CLUSTERED_MAX) < CLUSTERED_MAX;
}

function placeToSql({ sortBy, direction, after }: RequestPage): Predicate[] {
  if (after === undefined) return [];
  const column = sql.ref(`requests.${COLUMNS[sortBy]}`);
  const value = sortValueToSql(sortBy, after.sortValue);
  const isDescending = direction === "desc";
  return [
    sql`(${column}, requests.id) ${sql.raw(isDescending ? "<" : ">")} (${value}, ${after.id}::text)`,
    // Redundant, but lets PostgreSQL skip whole months.
    sql`${column} ${sql.raw(isDescending ? "<=" : ">=")} ${value}`,
  ];
}

export async function countRequests(db: Database, filter: RequestFilter): Promise<number> {
  let select = db.selectFrom("requests").select(({ fn }) => fn.countAll<string | number>().as("count"));
  for (const predicate of filterToSql(filter)) select = select.where(predicate);
  return Number((await select.executeTakeFirstOrThrow()).count);
}

export type PositionedRow = Pick<RequestRow, "id" | "created_at" | "updated_at" | "amount_usd">;

export function positionOf(row: PositionedRow, sortBy: RequestSort): RequestPosition {
  const value = row[COLUMNS[sortBy]];
  return { sortValue: value instanceof Date ? value.getTime().toString() : value, id: row.id };
}

function sortValueToSql(sortBy: RequestSort, sortValue: string): RawBuilder<unknown> {
  return sortBy === "amountUsd"
    ? sql`${sortValue}::text::numeric`
    : sql`${new Date(Number(sortValue)).toISOString()}::text::timestamptz`;
}
