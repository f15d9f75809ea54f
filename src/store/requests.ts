import { type SelectQueryBuilder, sql, type Updateable } from "kysely";

import type { RequestStatus } from "@crosscall/sdk/internal/protocol/request/requestStatus";
import { ensureMonth } from "./months.ts";
import type { StoreSchema } from "./schema.ts";
import type { NewOrder, NewRequest, RequestRow, RequestTable } from "./tables/requestTables.ts";
import { STATUS_CHANNEL } from "./statusChanges.ts";
import type { Database } from "./store.ts";

/** Writes a quoted request: its row in the month that it was made, its order, and its ids, which no other may have. */
export async function insertRequest(db: Database, request: NewRequest, order: NewOrder): Promise<void> {
  const { id, order_id, created_at } = request;
  await ensureMonth(db, created_at);
  // One statement, so that all is written or nothing, also outside a transaction.
  await db
    .with("ids", (query) => query.insertInto("request_ids").values({ id, order_id, created_at }))
    .with("ordered", (query) => query.insertInto("orders").values({ ...order, request_id: id }))
    .insertInto("requests")
    .values(request)
    .execute();
}

/** The request with this id, in whatever case it is written, or undefined. */
export function findRequest(db: Database, id: string): Promise<RequestRow | undefined> {
  return selectRequests(db).where("request_ids.id", "=", id.toLowerCase()).executeTakeFirst();
}

/** The request whose deposit carries this orderId, or undefined. */
export function findRequestByOrderId(db: Database, orderId: string): Promise<RequestRow | undefined> {
  return selectRequests(db).where("request_ids.order_id", "=", orderId).executeTakeFirst();
}

/** Requests by their ids: these tell the month, so that one table is read and not all. */
function selectRequests(
  db: Database,
): SelectQueryBuilder<StoreSchema, "request_ids" | "requests" | "orders", RequestRow> {
  return db
    .selectFrom("request_ids")
    .innerJoin("requests", (join) =>
      join.onRef("requests.id", "=", "request_ids.id").onRef("requests.created_at", "=", "request_ids.created_at"),
    )
    .innerJoin("orders", "orders.request_id", "request_ids.id")
    .selectAll(["requests", "orders"]);
}

/**
 * Gives a request that nobody has paid for yet another order: what is told of it from now on.
 *
 * @param request what changes of its row
 */
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

/** Whether a chain has requests that their users have yet to execute on it alone. */
export async function hasOpenSameChainRequests(db: Database, chainId: number): Promise<boolean> {
  const row = await db
    .selectFrom("requests")
    .select("id")
    .where("status", "in", ["waiting", "depositing"])
    .where("origin_chain_id", "=", chainId)
    .where("destination_chain_id", "=", chainId)
    .where("deposit_address", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Ids of the requests that have a deposit and no end yet: what a solver picks up when it starts. */
export async function listUnfinishedRequests(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom("requests")
    .select("id")
    .where((row) =>
      row.or([
        row("status", "in", ["pending", "submitted"]),
        // What was paid to a deposit address is the solver's to bring on, too.
        row("status", "=", "depositing").and("deposit_address", "is not", null),
      ]),
    )
    .orderBy("created_at")
    .execute();
  return rows.map((row) => row.id);
}

/** Keeps a request as it is, until the database's transaction ends. */
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

/** A change of a request's state. */
export interface Transition {
  readonly requestId: string;
  /** The statuses it may come from: in any other the transition does not happen. */
  readonly from: readonly RequestStatus[];
  /** Where given: whether it must have a failReason already, or must have none. */
  readonly hasFailReason?: boolean;
  readonly to: RequestStatus;
  readonly at: Date;
  /** Why, for the record of steps; the reason to fail that is set, where left out. */
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

/**
 * Moves a request to another status, if it is in one of those it may come from, and writes the step down; tells whether
 * it moved.
 */
export async function transition(db: Database, change: Transition): Promise<boolean> {
  const { requestId, to, at, set } = change;
  const reason = change.reason ?? set?.refund_fail_reason ?? set?.fail_reason ?? null;
  // One statement, so that a change is written down and told if and only if it is made.
  const moved = await db
    .with("before", (query) => {
      const before = query
        .selectFrom("requests")
        .select(["id", "created_at", "status"])
        .where("id", "=", requestId)
        .where("created_at", "=", (month) =>
          month.selectFrom("request_ids").select("request_ids.created_at").where("request_ids.id", "=", requestId),
        )
        .where("status", "in", change.from)
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
        .returning("webhook_events.id"),
    )
    .selectFrom("moved")
    .select(
      sql`pg_notify(${STATUS_CHANNEL}, json_build_object('requestId', moved.id, 'status', ${to}::text,
        'updatedAt', ${at.getTime()}::bigint, 'hasWebhook', exists (select from addressed))::text)`.as("told"),
    )
    .execute();
  return moved.length > 0;
}
