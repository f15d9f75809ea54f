import { type Expression, type Insertable, type Selectable, type SqlBool, sql } from "kysely";

import type { FailReason } from "../protocol/failReasons.ts";
import type { RequestStatus } from "../protocol/requestStatus.ts";
import type { RequestRow, RequestTable } from "./schema.ts";
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
  readonly set?: {
    readonly fail_reason?: FailReason;
  };
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
  const result = await update.executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** What to list. Filters combine with AND. */
export interface RequestQuery {
  readonly id?: string;
  /** Sender or recipient. */
  readonly user?: string;
  readonly status?: RequestStatus;
  readonly limit: number;
  readonly direction: "asc" | "desc";
  /** The last row of the page before. */
  readonly after?: RequestPosition;
}

/** A row's place in the order of a listing. */
export type RequestPosition = Pick<Selectable<RequestTable>, "created_at" | "id">;

/** One page of requests by time of creation: a keyset scan, so a deep page costs what the first one does. */
export function listRequests(db: Database, query: RequestQuery): Promise<RequestRow[]> {
  let select = db.selectFrom("requests").selectAll().limit(query.limit);
  if (query.id !== undefined) select = select.where("id", "=", query.id);
  if (query.status !== undefined) select = select.where("status", "=", query.status);
  const { user, after } = query;
  if (user !== undefined) {
    // Hexadecimal addresses are one whatever their case; base58 ones differ by it.
    const isHexadecimal = user.startsWith("0x");
    const party = (column: "user" | "recipient"): Expression<SqlBool> =>
      isHexadecimal ? sql`lower(${sql.ref(column)}) = ${user.toLowerCase()}` : sql`${sql.ref(column)} = ${user}`;
    select = select.where((expression) => expression.or([party("user"), party("recipient")]));
  }
  if (after !== undefined) {
    const position = sql`(${after.created_at}::timestamptz, ${after.id}::text)`;
    select = select.where(
      query.direction === "desc"
        ? sql<boolean>`(created_at, id) < ${position}`
        : sql<boolean>`(created_at, id) > ${position}`,
    );
  }
  return select.orderBy("created_at", query.direction).orderBy("id", query.direction).execute();
}
