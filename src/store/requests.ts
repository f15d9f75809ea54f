import { type Insertable, sql, type Updateable } from "kysely";

import type { RequestStatus } from "../protocol/requestStatus.ts";
import type { RequestRow, RequestTable } from "./schema.ts";
import { STATUS_CHANNEL } from "./statusChanges.ts";
import type { Database } from "./store.ts";

/** Writes a quoted request. */
export async function insertRequest(db: Database, request: Insertable<RequestTable>): Promise<void> {
  await db.insertInto("requests").values(request).execute();
}

/** The request with this id, or undefined. */
export function findRequest(db: Database, id: string): Promise<RequestRow | undefined> {
  return db.selectFrom("requests").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The request whose deposit carries this orderId, or undefined. */
export function findRequestByOrderId(db: Database, orderId: string): Promise<RequestRow | undefined> {
  return db.selectFrom("requests").selectAll().where("order_id", "=", orderId).executeTakeFirst();
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
    .where("status", "in", change.from);
  if (change.hasFailReason !== undefined) {
    update = update.where("fail_reason", change.hasFailReason ? "is not" : "is", null);
  }
  // In the same statement, so that a change is told if and only if it is made.
  const payload = sql`json_build_object('requestId', id, 'status', status, 'updatedAt', ${change.at.getTime()}::bigint)`;
  const moved = await update.returning(sql`pg_notify(${STATUS_CHANNEL}, ${payload}::text)`.as("told")).execute();
  return moved.length > 0;
}
