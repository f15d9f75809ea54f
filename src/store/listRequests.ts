import { type RawBuilder, type Selectable, sql } from "kysely";

import type { RequestFilter } from "./requestFilter.ts";
import { filterToBranches, filterToSql, type Predicate } from "./requestFilterSql.ts";
import { rangeToSql } from "./requestRangeSql.ts";
import type { RequestRow, RequestTable } from "./tables/requestTables.ts";
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

/** A request without its order. */
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
  // Orders are wide: only those of the page are read.
  const { rows } = await sql<RequestRow>`
    select requests.*, orders.* from ${await selectPage(db, page)} as requests
    join orders on orders.request_id = requests.id ${orderToSql(page)}`.execute(db);
  return rows;
}

/** The rows of `requests` of a page, in brackets. */
export async function selectPage(db: Database, page: RequestPage): Promise<RawBuilder<RequestHead>> {
  return pageToSql(page, await hasFewClustered(db, page.filter));
}

/** The order of a page; the id breaks ties. */
export function orderToSql({ sortBy, direction }: RequestPage): RawBuilder<unknown> {
  const to = sql.raw(direction);
  return sql`order by ${sql.ref(`requests.${COLUMNS[sortBy]}`)} ${to}, requests.id ${to}`;
}

/**
 * The query of a page, in brackets.
 *
 * @param isClustered whether few requests pass, which were made at about one time
 */
export function pageToSql(page: RequestPage, isClustered: boolean): RawBuilder<RequestHead> {
  const column = sql.ref(`requests.${COLUMNS[page.sortBy]}`);
  const order = orderToSql(page);
  const place = placeToSql(page);
  const branches = filterToBranches(page.filter).map(({ conditions, isNarrow }) => {
    const all = [...conditions, ...place];
    const where = all.length === 0 ? sql`` : sql`where ${sql.join(all, sql` and `)}`;
    // An offset is a fence: what is behind it is found by its conditions, and not by walking along the order.
    const source =
      isNarrow || isClustered ? sql`(select * from requests ${where} offset 0) as requests` : sql`requests ${where}`;
    return sql`(select requests.* from ${source} ${order} limit ${page.limit})`;
  });
  // Each branch gives as many as the page takes at most; what two branches give is there once.
  return branches.length === 1
    ? sql.join(branches)
    : sql`(select distinct on (${column}, requests.id) requests.*
          from (${sql.join(branches, sql` union all `)}) as requests ${order} limit ${page.limit})`;
}

/** Up to how many requests of a range are sorted. */
const CLUSTERED_MAX = 20_000;

/**
 * Whether a range of blocks holds few requests. They were made at about one time: the database, which takes them to be
 * spread over all, would walk along the order of the page for them, through everything that is newer.
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

/** The rows behind the place of the page. */
function placeToSql({ sortBy, direction, after }: RequestPage): Predicate[] {
  if (after === undefined) return [];
  const column = sql.ref(`requests.${COLUMNS[sortBy]}`);
  const value = sortValueToSql(sortBy, after.sortValue);
  const isDescending = direction === "desc";
  return [
    sql`(${column}, requests.id) ${sql.raw(isDescending ? "<" : ">")} (${value}, ${after.id}::text)`,
    // Says nothing more, but leaves whole months out: the database does not read that off the pair.
    sql`${column} ${sql.raw(isDescending ? "<=" : ">=")} ${value}`,
  ];
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
