import {
  type AliasedRawBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type SqlBool,
  type Updateable,
} from "kysely";

import type { RequestStatus } from "@crosscall/protocol/request";
import { ensureMonth } from "./months.ts";
import type { StoreSchema } from "./schema.ts";
import type { NewOrder, NewRequest, RequestRow, RequestTable } from "./tables/requestTables.ts";
import type { TransactionRow } from "./tables/transactionTables.ts";
import { CREATION_CHANNEL, STATUS_CHANNEL } from "./statusChanges.ts";
import type { Database } from "./store.ts";

export async function insertRequest(db: Database, request: NewRequest, order: NewOrder): Promise<void> {
  const { created_at } = request;
  // In a transaction, an insert that fails would end it.
  if (db.isTransaction) await ensureMonth(db, created_at);
  try {
    await writeRequest(db, request, order);
  } catch (error) {
    if (db.isTransaction || !isMissingMonth(error)) throw error;
    await ensureMonth(db, created_at);
    await writeRequest(db, request, order);
  }
}

/** PostgreSQL reports a row without a partition as a violated check. */
function isMissingMonth(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "23514";
}

async function writeRequest(db: Database, request: NewRequest, order: NewOrder): Promise<void> {
  const { id, order_id, created_at } = request;
  // One statement, so that either everything is written or nothing.
  await db
    .with("ids", (query) => query.insertInto("request_ids").values({ id, order_id, created_at }))
    .with("ordered", (query) => query.insertInto("orders").values({ ...order, request_id: id }))
    .insertInto("requests")
    .values(request)
    .returning(sql`pg_notify(${CREATION_CHANNEL}, ${id}::text)`.as("notified"))
    .execute();
}

export function findRequest(db: Database, id: string): Promise<RequestRow | undefined> {
  return selectRequests(db).where("request_ids.id", "=", id.toLowerCase()).executeTakeFirst();
}

export function findRequestByOrderId(db: Database, orderId: string): Promise<RequestRow | undefined> {
  return selectRequests(db).where("request_ids.order_id", "=", orderId).executeTakeFirst();
}

/** What the status of a request is made of. */
export type RequestState = Pick<
  RequestRow,
  | "id"
  | "status"
  | "fail_reason"
  | "fail_details"
  | "refund_fail_reason"
  | "origin_chain_id"
  | "destination_chain_id"
  | "created_at"
  | "updated_at"
> & { readonly transactions: readonly Pick<TransactionRow, "purpose" | "hash">[] };

/** In one statement, since clients poll it. */
export function findRequestState(db: Database, id: string): Promise<RequestState | undefined> {
  return db
    .selectFrom("request_ids")
    .innerJoin("requests", (join) =>
      join.onRef("requests.id", "=", "request_ids.id").onRef("requests.created_at", "=", "request_ids.created_at"),
    )
    .select([
      "requests.id",
      "requests.status",
      "requests.fail_reason",
      "requests.fail_details",
      "requests.refund_fail_reason",
      "requests.origin_chain_id",
      "requests.destination_chain_id",
      "requests.created_at",
      "requests.updated_at",
      sql<RequestState["transactions"]>`(
        select coalesce(json_agg(json_build_object('purpose', purpose, 'hash', hash)), '[]')
        from transactions where request_id = requests.id)`.as("transactions"),
    ])
    .where("request_ids.id", "=", id.toLowerCase())
    .executeTakeFirst();
}

/** Of the request that a deposit address was quoted for. */
export const RECOVERY_ADDRESS = sql<string | null>`deposit_addresses.request ->> 'recoveryAddress'`;

/** The ids give the month, so only one table is read. */
function selectRequests(
  db: Database,
): SelectQueryBuilder<StoreSchema, "request_ids" | "requests" | "orders", RequestRow> {
  return db
    .selectFrom("request_ids")
    .innerJoin("requests", (join) =>
      join.onRef("requests.id", "=", "request_ids.id").onRef("requests.created_at", "=", "request_ids.created_at"),
    )
    .innerJoin("orders", "orders.request_id", "request_ids.id")
    .leftJoin("record_fields", "record_fields.request_id", "request_ids.id")
    .leftJoin("deposit_addresses", (join) =>
      join.on(sql<boolean>`deposit_addresses.address = lower(requests.deposit_address)`),
    )
    .selectAll(["requests", "orders"])
    .select(["record_fields.fields as record_fields", RECOVERY_ADDRESS.as("recovery_address")]);
}

/** Replaces the order of an unpaid request. */
export async function replaceOrder(
  db: Database,
  requestId: string,
  request: Pick<
    NewRequest,
    | "order_id"
    | "request_type"
    | "origin_chain_id"
    | "origin_currency"
    | "origin_symbol"
    | "amount_usd"
    | "app_fees_usd"
  >,
  order: NewOrder,
): Promise<void> {
  const { order_id } = request;
  await db
    .with("ids", (query) => query.updateTable("request_ids").set({ order_id }).where("id", "=", requestId))
    .with("ordered", (query) => query.updateTable("orders").set(order).where("request_id", "=", requestId))
    .updateTable("requests")
    .set(request)
    .where("id", "=", requestId)
    .execute();
}

/** What requests can expect on a chain besides deposits. */
export interface ExpectedPayments {
  /** Whether users still have to execute same-chain requests. */
  readonly hasSameChain: boolean;
  /** Whether deposit addresses are watched, each of them on every chain. */
  readonly hasDepositAddresses: boolean;
}

/**
 * In one statement, since each block of a chain asks.
 *
 * @param now by the service's clock
 */
export async function findExpectedPayments(db: Database, chainId: number, now: Date): Promise<ExpectedPayments> {
  const { rows } = await sql<ExpectedPayments>`
    select
      -- In the order of an index: an exists could search all rows of the table for one.
      coalesce((select max(watched_until) from deposit_addresses) > ${now}, false) as "hasDepositAddresses",
      coalesce((
        select origin_chain_id from requests
        where origin_chain_id = destination_chain_id and deposit_address is null
          and status in ('waiting', 'depositing') and origin_chain_id >= ${chainId}
        order by origin_chain_id limit 1
      ) = ${chainId}, false) as "hasSameChain"`.execute(db);
  return rows[0] ?? { hasSameChain: false, hasDepositAddresses: false };
}

/** Ids of requests with a deposit that have not ended, which a solver continues when it starts. */
export async function listUnfinishedRequests(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom("requests")
    .select("id")
    .where((row) =>
      row.or([
        row("status", "in", ["pending", "submitted"]),
        // The solver also continues payments to deposit addresses.
        row("status", "=", "depositing").and("deposit_address", "is not", null),
        row("status", "=", "depositing").and(sql<SqlBool>`features && array['gasless_swap', 'gasless_execution']`),
        // A call for a user that is in no block yet.
        row("status", "=", "waiting").and(sql<SqlBool>`features && array['gasless_execution']`),
        // A permit whose request was filled before its deposit, and whose fill failed.
        row("status", "=", "waiting")
          .and("fail_reason", "is not", null)
          .and(sql<SqlBool>`features && array['gasless_swap']`),
      ]),
    )
    .orderBy("created_at")
    .execute();
  return rows.map((row) => row.id);
}

export async function lockRequest(db: Database, id: string): Promise<void> {
  await db
    .selectFrom("requests")
    .select("id")
    .where("id", "=", id)
    .where("created_at", "=", (month) =>
      month.selectFrom("request_ids").select("request_ids.created_at").where("request_ids.id", "=", id),
    )
    .forUpdate()
    .execute();
}

/** The block of a deposit that does not move its request: it is filled already, or the deposit is in another block. */
export async function noteDepositBlock(
  db: Database,
  requestId: string,
  set: Pick<Updateable<RequestTable>, "deposit_block" | "fill_time_seconds">,
): Promise<void> {
  await db.updateTable("requests").set(set).where("id", "=", requestId).execute();
}

export interface Transition {
  readonly requestId: string;
  /** In any other status, nothing happens. */
  readonly from: readonly RequestStatus[];
  /** If present, whether the request must already have a failReason. */
  readonly hasFailReason?: boolean;
  readonly to: RequestStatus;
  readonly at: Date;
  /** For the record of steps; the new failReason if absent. */
  readonly reason?: string;
  readonly set?: Pick<
    Updateable<RequestTable>,
    | "fail_reason"
    | "fail_details"
    | "failed_block"
    | "refund_fail_reason"
    | "failed_call_data"
    | "deposit_block"
    | "fill_time_seconds"
  >;
}

/** @returns whether the request was in one of `from` and moved */
export async function transition(db: Database, change: Transition): Promise<boolean> {
  const moved = await moveRequest(db, change).selectFrom("moved").select(statusNotice(change)).execute();
  return moved.length > 0;
}

/**
 * A transition as common table expressions, for statements that do more: `moved` has a row if it happens. One statement,
 * so that a change is recorded if and only if it happens; add {@link statusNotice} to announce it.
 *
 * @param condition in addition to the status
 */
export function moveRequest(db: Database, change: Transition, condition: RawBuilder<SqlBool> = sql`true`) {
  const { requestId, to, at, set } = change;
  const reason = change.reason ?? set?.refund_fail_reason ?? set?.fail_reason ?? null;
  return db
    .with("before", (query) => {
      const before = query
        .selectFrom("requests")
        .select(["id", "created_at", "status"])
        .where("id", "=", requestId)
        .where("created_at", "=", (month) =>
          month.selectFrom("request_ids").select("request_ids.created_at").where("request_ids.id", "=", requestId),
        )
        .where("status", "in", change.from)
        .where(condition)
        .forUpdate();
      if (change.hasFailReason === undefined) return before;
      return before.where("fail_reason", change.hasFailReason ? "is not" : "is", null);
    })
    .with("moved", (query) =>
      query
        .updateTable("requests")
        .from("before")
        .set({ ...set, status: to, updated_at: at })
        .whereRef("requests.id", "=", "before.id")
        .whereRef("requests.created_at", "=", "before.created_at")
        .returning(["requests.id", "before.status as from_status", "requests.api_key_hash"]),
    )
    .with("written", (query) =>
      query
        .insertInto("transitions")
        .columns(["request_id", "from_status", "to_status", "at", "reason"])
        .expression((step) =>
          step
            .selectFrom("moved")
            .select([
              "moved.id",
              "moved.from_status",
              sql<RequestStatus>`${to}::text`.as("to_status"),
              sql<Date>`${at}::timestamptz`.as("at"),
              sql<string | null>`${reason}::text`.as("reason"),
            ]),
        ),
    )
    .with("addressed", (query) =>
      query
        .insertInto("webhook_events")
        .columns(["request_id", "key_hash", "status", "status_at"])
        .expression((event) =>
          event
            .selectFrom("moved")
            .innerJoin("webhooks", "webhooks.key_hash", "moved.api_key_hash")
            .select([
              "moved.id",
              "webhooks.key_hash",
              sql<RequestStatus>`${to}::text`.as("status"),
              sql<Date>`${at}::timestamptz`.as("status_at"),
            ]),
        )
        .returning("webhook_events.key_hash"),
    );
}

/** Announces a transition; select it from `moved`. */
export function statusNotice({ to, at }: Pick<Transition, "to" | "at">): AliasedRawBuilder<unknown, "announced"> {
  return sql`pg_notify(${STATUS_CHANNEL}, json_build_object('requestId', moved.id, 'status', ${to}::text,
    'updatedAt', ${at.getTime()}::bigint, 'webhookKeyHash', (select key_hash from addressed))::text)`.as("announced");
}
