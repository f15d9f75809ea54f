import { type SelectQueryBuilder, sql, type Updateable } from "kysely";

import type { RequestStatus } from "../protocol/requestStatus.ts";
import { ensureMonth } from "./months.ts";
import type { NewOrder, NewRequest, RequestRow, RequestTable, StoreSchema } from "./schema.ts";
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

/** The request with this id, or undefined. */
export function findRequest(db: Database, id: string): Promise<RequestRow | undefined> {
  return selectRequests(db).where("request_ids.id", "=", id).executeTakeFirst();
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

/** Ids of the requests that have a deposit and no end yet: what a solver picks up when it starts. */
export async function listUnfinishedRequests(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom("requests")
    .select("id")
    .where("status", "in", ["pending", "submitted"])
    .orderBy("created_at")
    .execute();
  return rows.map((row) => row.id);
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
  readonly set?: Pick<
    Updateable<RequestTable>,
    "fail_reason" | "refund_fail_reason" | "failed_call_data" | "deposit_block" | "fill_time_seconds"
  >;
}

/** Moves a request to another status, if it is in one of those it may come from; tells whether it moved. */
export async function transition(db: Database, change: Transition): Promise<boolean> {
  let update = db
    .updateTable("requests")
    .set({ ...change.set, status: change.to, updated_at: change.at })
    .where("id", "=", change.requestId)
    .where("created_at", "=", (query) =>
      query.selectFrom("request_ids").select("request_ids.created_at").where("request_ids.id", "=", change.requestId),
    )
    .where("status", "in", change.from);
  if (change.hasFailReason !== undefined) {
    update = update.where("fail_reason", change.hasFailReason ? "is not" : "is", null);
  }
  // In the same statement, so that a change is told if and only if it is made.
  const payload = sql`json_build_object('requestId', id, 'status', status, 'updatedAt', ${change.at.getTime()}::bigint)`;
  const moved = await update.returning(sql`pg_notify(${STATUS_CHANNEL}, ${payload}::text)`.as("told")).execute();
  return moved.length > 0;
}
