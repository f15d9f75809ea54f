import { type RawBuilder, type Selectable, sql } from "kysely";

import { requireTimely } from "../queryTooExpensive.ts";
import type { Database } from "../schema.ts";
import type { Predicate } from "./fieldMatchers.ts";
import type { RequestFilter } from "./filter.ts";
import { type Branch, filterToBranches, filterToSql, rangeToSql, toConditions } from "./filterSql.ts";
import { RECOVERY_ADDRESS, type RequestRow, type RequestTable } from "./requests.ts";

export type RequestSort = "createdAt" | "updatedAt" | "amountUsd";

export interface RequestPosition {
  /** Sort value as a decimal: Unix milliseconds for times, US dollars for amounts. */
  readonly sortValue: string;
  readonly id: string;
}

/** A page of a listing. */
export interface RequestPage {
  readonly filter: RequestFilter;
  readonly sortBy: RequestSort;
  readonly direction: "asc" | "desc";
  readonly limit: number;
  /** Last row of the previous page. */
  readonly after?: RequestPosition;
}

type RequestHead = Selectable<RequestTable>;

const COLUMNS = { createdAt: "created_at", updatedAt: "updated_at", amountUsd: "amount_usd" } as const;

/**
 * Reads one page of requests. Reads by keyset, so a deep page costs as much as the first page. Pages together contain
 * each row exactly once if it existed when the first page was read and its sort value does not change. `createdAt` and
 * `amountUsd` never change. `updatedAt` does: a request that changes between two pages is listed again in its new state
 * with `asc`, and may be missed with `desc`. New requests are listed if they sort after the current page.
 */
export async function listRequests(db: Database, page: RequestPage): Promise<RequestRow[]> {
  // Reads only the orders of the page, because orders are wide.
  return requireTimely(async () => {
    const { rows } = await sql<RequestRow>`
      select requests.*, orders.*, record_fields.fields as record_fields, ${RECOVERY_ADDRESS} as recovery_address
      from ${await selectPage(db, page)} as requests
      join orders on orders.request_id = requests.id
      left join record_fields on record_fields.request_id = requests.id
      left join deposit_addresses on deposit_addresses.address = lower(requests.deposit_address)
      ${orderToSql(page)}`.execute(db);
    return rows;
  });
}

export async function selectPage(db: Database, page: RequestPage): Promise<RawBuilder<RequestHead>> {
  const branches = await Promise.all(
    filterToBranches(page.filter).map(async (branch) => {
      // The indexes of values are sorted by creation time, so another order needs a sort.
      const isUnordered = branch.list !== undefined && page.sortBy !== "createdAt";
      return isUnordered && (await hasFew(db, toConditions(branch))) ? { ...branch, isNarrow: true } : branch;
    }),
  );
  return pageToSql(page, await hasFewClustered(db, page.filter), branches);
}

export function orderToSql({ sortBy, direction }: RequestPage): RawBuilder<unknown> {
  const to = sql.raw(direction);
  return sql`order by ${sql.ref(`requests.${COLUMNS[sortBy]}`)} ${to}, requests.id ${to}`;
}

/** @param isClustered whether few requests match and they were created at about the same time */
export function pageToSql(
  page: RequestPage,
  isClustered: boolean,
  branches: readonly Branch[] = filterToBranches(page.filter),
): RawBuilder<RequestHead> {
  const column = sql.ref(`requests.${COLUMNS[page.sortBy]}`);
  const order = orderToSql(page);
  const selects = branches.map((branch) => branchToSql(page, branch, isClustered));
  // Each branch yields at most one page. `distinct` drops duplicates.
  return selects.length === 1
    ? sql.join(selects)
    : sql`(select distinct on (${column}, requests.id) requests.*
          from (${sql.join(selects, sql` union all `)}) as requests ${order} limit ${page.limit})`;
}

function branchToSql(page: RequestPage, branch: Branch, isClustered: boolean): RawBuilder<unknown> {
  const { conditions, isNarrow, list } = branch;
  const order = orderToSql(page);
  const place = placeToSql(page);
  const isFenced = isNarrow || isClustered;
  if (list === undefined || isFenced || page.sortBy !== "createdAt") {
    const all = [...toConditions(branch), ...place];
    const where = all.length === 0 ? sql`` : sql`where ${sql.join(all, sql` and `)}`;
    // `offset 0` is an optimization fence: the subquery uses the conditions instead of scanning in sort order.
    const source = isFenced ? sql`(select * from requests ${where} offset 0) as requests` : sql`requests ${where}`;
    return sql`(select requests.* from ${source} ${order} limit ${page.limit})`;
  }
  // Reads each value in page order, because indexes are sorted by value and then by creation time.
  const all = [...conditions, list.match(sql`listed.value`), ...place];
  return sql`(select requests.* from unnest(${list.values}::${sql.raw(list.type)}[]) as listed(value) cross join lateral (
      select requests.* from requests where ${sql.join(all, sql` and `)} ${order} limit ${page.limit}
    ) as requests ${order} limit ${page.limit})`;
}

/** Maximum number of rows for which reading and sorting all rows is faster than scanning in page order. */
const FEW_MAX = 20_000;

/**
 * Returns whether few requests are in a range of blocks. They were created at about the same time, but PostgreSQL
 * assumes that they are spread evenly, and would scan everything newer in sort order.
 */
async function hasFewClustered(db: Database, { ranges }: RequestFilter): Promise<boolean> {
  const blocks = ranges.filter(({ field }) => field === "depositBlock").flatMap(rangeToSql);
  return blocks.length > 0 && (await hasFew(db, blocks));
}

async function hasFew(db: Database, conditions: readonly Predicate[]): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from requests where ${sql.join(conditions, sql` and `)} limit ${FEW_MAX}
    ) as found`.execute(db);
  return (rows[0]?.count ?? FEW_MAX) < FEW_MAX;
}

function placeToSql({ sortBy, direction, after }: RequestPage): Predicate[] {
  if (after === undefined) return [];
  const column = sql.ref(`requests.${COLUMNS[sortBy]}`);
  const value = sortValueToSql(sortBy, after.sortValue);
  const isDescending = direction === "desc";
  return [
    sql`(${column}, requests.id) ${sql.raw(isDescending ? "<" : ">")} (${value}, ${after.id}::text)`,
    // Redundant condition that allows PostgreSQL to skip whole months.
    sql`${column} ${sql.raw(isDescending ? "<=" : ">=")} ${value}`,
  ];
}

export async function countRequests(db: Database, filter: RequestFilter): Promise<number> {
  let select = db.selectFrom("requests").select(({ fn }) => fn.countAll<string | number>().as("count"));
  for (const predicate of filterToSql(filter)) select = select.where(predicate);
  return requireTimely(async () => Number((await select.executeTakeFirstOrThrow()).count));
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
