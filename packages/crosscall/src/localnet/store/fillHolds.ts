import { type Generated, type JSONColumnType, type Selectable, sql } from "kysely";

import { joinPredicates } from "./requests/fieldMatchers.ts";
import { EVERY_REQUEST, type FieldCondition } from "./requests/filter.ts";
import { HOLD_CHANNEL } from "./notices.ts";
import { filterToSql } from "./requests/filterSql.ts";
import type { RequestRow } from "./requests/requests.ts";
import type { Database, JsonObject, TimeColumn } from "./schema.ts";
import type { TransactionRow } from "./transactions.ts";

export interface FillHoldTable {
  readonly id: Generated<number>;
  /** Conditions, which must all match. An empty list matches every request. */
  readonly conditions: JSONColumnType<FieldCondition[], string, never>;
  readonly created_at: TimeColumn;
}

export interface HeldFillTable {
  readonly request_id: string;
  readonly held_at: TimeColumn;
  /** Time of the release; null while the fill is held. */
  released_at: TimeColumn | null;
}

declare module "./schema.ts" {
  interface StoreSchema {
    fill_holds: FillHoldTable;
    held_fills: HeldFillTable;
  }
}

export type FillHoldRow = Selectable<FillHoldTable>;

export function insertFillHold(db: Database, conditions: readonly FieldCondition[], at: Date): Promise<FillHoldRow> {
  return db
    .insertInto("fill_holds")
    .values({ conditions: JSON.stringify(conditions), created_at: at })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function listFillHolds(db: Database): Promise<FillHoldRow[]> {
  return db.selectFrom("fill_holds").selectAll().orderBy("id").execute();
}

/** State of a request that a worker is about to fill. */
export type FillState = FillHold & {
  /** Faults of the request's scenarios. */
  readonly faults: JsonObject | undefined;
  readonly deposit: TransactionRow | undefined;
};

type FillHold =
  | { readonly isHeld: true }
  /** Time from the hold to the release, in seconds rounded up; 0 if the request was not held. */
  | { readonly isHeld: false; readonly heldSeconds: number };

/**
 * Holds a request's fill if it matches a hold. The fill then stays held in all processes until it is released. Call
 * this function before a fill is signed. Takes one statement unless operators hold fills, because it runs for every
 * request.
 */
export async function holdFill(db: Database, requestId: string, at: Date): Promise<FillState> {
  const { rows } = await sql<FoundHold & { readonly faults: JsonObject | null } & FoundTransaction>`
    select held_fills.held_at, held_fills.released_at, holds.has_holds, request_faults.faults, deposit.*
    from (select exists (select from fill_holds) as has_holds) as holds
    left join held_fills on held_fills.request_id = ${requestId}
    left join request_faults on request_faults.request_id = ${requestId}
    left join transactions as deposit on deposit.request_id = ${requestId} and deposit.purpose = 'deposit'
      and deposit.input_index = 0`.execute(db);
  const [row] = rows;
  if (row === undefined) return { isHeld: false, heldSeconds: 0, faults: undefined, deposit: undefined };
  const { held_at, released_at, has_holds, faults, ...deposit } = row;
  return {
    ...(await findHold(db, requestId, at, { held_at, released_at, has_holds })),
    faults: faults ?? undefined,
    deposit: isFound(deposit) ? deposit : undefined,
  };
}

async function findHold(db: Database, requestId: string, at: Date, known: FoundHold): Promise<FillHold> {
  if (known.held_at !== null) return toHold({ held_at: known.held_at, released_at: known.released_at });
  if (!known.has_holds) return { isHeld: false, heldSeconds: 0 };
  for (const hold of await listFillHolds(db)) {
    const conditions = filterToSql({ ...EVERY_REQUEST, conditions: hold.conditions });
    const matches = conditions.length === 0 ? sql`true` : joinPredicates(conditions, "and");
    // Locks the row of the hold. The hold then ends either before this fill is held, or afterwards and releases the
    // fill.
    const { rows } = await sql<HeldTimes>`
      insert into held_fills (request_id, held_at)
      select requests.id, ${at}::timestamptz
      from fill_holds, requests
      join request_ids on request_ids.id = requests.id and request_ids.created_at = requests.created_at
      where fill_holds.id = ${hold.id} and request_ids.id = ${requestId} and ${matches}
      for key share of fill_holds
      on conflict (request_id) do update set held_at = held_fills.held_at
      returning held_at, released_at, pg_notify(${HOLD_CHANNEL}, request_id)`.execute(db);
    const [held] = rows;
    if (held !== undefined) return toHold(held);
  }
  return { isHeld: false, heldSeconds: 0 };
}

interface NullableTimes {
  readonly held_at: Date | null;
  readonly released_at: Date | null;
}

interface FoundHold extends NullableTimes {
  readonly has_holds: boolean;
}

type FoundTransaction = TransactionRow | Record<keyof TransactionRow, null>;

function isFound(row: FoundTransaction): row is TransactionRow {
  return row.id !== null;
}

interface HeldTimes extends NullableTimes {
  readonly held_at: Date;
}

function toHold({ held_at, released_at }: HeldTimes): FillHold {
  if (released_at === null) return { isHeld: true };
  // At least 0, because the service's clock may have been set back meanwhile.
  const heldMs = Math.max(released_at.getTime() - held_at.getTime(), 0);
  return { isHeld: false, heldSeconds: Math.ceil(heldMs / 1_000) };
}

export interface HeldFillRow extends Pick<
  RequestRow,
  | "id"
  | "status"
  | "user"
  | "recipient"
  | "origin_chain_id"
  | "destination_chain_id"
  | "destination_currency"
  | "destination_symbol"
  | "trade_type"
  | "expected_output_amount"
  | "minimum_output_amount"
  | "details"
> {
  readonly held_at: Date;
}

/** Lists held requests that could be filled, the oldest first. */
export async function listHeldFills(
  db: Database,
  limit: number,
): Promise<{ readonly rows: readonly HeldFillRow[]; readonly total: number }> {
  const { rows } = await sql<HeldFillRow & { readonly total: number }>`
    select requests.id, requests.status, requests."user", requests.recipient, requests.origin_chain_id,
      requests.destination_chain_id, requests.destination_currency, requests.destination_symbol, orders.trade_type,
      orders.expected_output_amount, orders.minimum_output_amount, orders.details, held_fills.held_at,
      count(*) over () as total
    from held_fills
    join request_ids on request_ids.id = held_fills.request_id
    join requests on requests.id = request_ids.id and requests.created_at = request_ids.created_at
    join orders on orders.request_id = requests.id
    left join fast_fills on fast_fills.request_id = requests.id
    where held_fills.released_at is null and ${IS_FILLABLE}
    order by held_fills.held_at, held_fills.request_id
    limit ${limit}`.execute(db);
  return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 };
}

/**
 * Condition for requests that can be filled. Includes waiting requests, because a fast fill is held before its deposit.
 */
const IS_FILLABLE = sql<boolean>`(
  (requests.status = 'pending' and requests.fail_reason is null)
  or (requests.status in ('waiting', 'depositing') and fast_fills.state = 'queued'))`;

/** Returns the expression that announces a changed hold. */
function announceHold() {
  return sql`pg_notify(${HOLD_CHANNEL}, request_id)`.as("announced");
}

/** Returns when a request's fill was held and released; undefined if it was never held. */
export function findHeldFill(db: Database, requestId: string): Promise<Selectable<HeldFillTable> | undefined> {
  return db.selectFrom("held_fills").selectAll().where("request_id", "=", requestId).executeTakeFirst();
}

/** Returns those of the requests whose fill is held. */
export async function findHeldIds(db: Database, requestIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (requestIds.length === 0) return new Set();
  const rows = await db
    .selectFrom("held_fills")
    .select("request_id")
    .where("request_id", "in", requestIds)
    .where("released_at", "is", null)
    .execute();
  return new Set(rows.map(({ request_id }) => request_id));
}

export type HoldState = "held" | "released" | "unheld";

export async function findHoldState(db: Database, requestId: string): Promise<HoldState> {
  const row = await findHeldFill(db, requestId);
  if (row === undefined) return "unheld";
  return row.released_at === null ? "held" : "released";
}

/**
 * Releases a held fill, and ends holds whose requests were all released, because they hold no other fill. Call it in a
 * transaction.
 *
 * @returns false if the fill is not held, or another caller released it first
 */
export async function releaseHeldFill(db: Database, requestId: string, at: Date): Promise<boolean> {
  // Runs first, because a worker locks the hold before the held fill.
  await sql`
    delete from fill_holds where exists (
      select from jsonb_array_elements(conditions) as condition
      where condition ->> 'field' = 'id' and condition ->> 'isNegated' = 'false' and not exists (
        select from jsonb_path_query(condition -> 'values', '$[*]') as value
        where value #>> '{}' is distinct from ${requestId} and not exists (
          select from held_fills where request_id = value #>> '{}' and released_at is not null)))`.execute(db);
  const released = await db
    .updateTable("held_fills")
    .set({ released_at: at })
    .where("request_id", "=", requestId)
    .where("released_at", "is", null)
    .returning(["request_id", announceHold()])
    .execute();
  return released.length > 0;
}

/**
 * Ends every hold and releases all held fills. Call it in a transaction.
 *
 * @returns the ids of the released requests
 */
export async function releaseEveryFill(db: Database, at: Date): Promise<string[]> {
  // Runs first, so that no request is held after the second statement.
  await db.deleteFrom("fill_holds").execute();
  const released = await db
    .updateTable("held_fills")
    .set({ released_at: at })
    .where("released_at", "is", null)
    .returning(["request_id", announceHold()])
    .execute();
  return released.map(({ request_id }) => request_id);
}
