import {
  type AliasedRawBuilder,
  type Generated,
  type RawBuilder,
  type Selectable,
  sql,
  type SqlBool,
  type Updateable,
} from "kysely";

import type { RequestStatus } from "@crosscall/protocol/request";
import { STATUS_CHANNEL } from "../notices.ts";
import type { Database, TimeColumn } from "../schema.ts";
import type { RequestTable } from "./requests.ts";

export interface TransitionTable {
  readonly id: Generated<number>;
  readonly request_id: string;
  readonly from_status: RequestStatus;
  readonly to_status: RequestStatus;
  readonly at: TimeColumn;
  /** Reason: a failReason, or the event that caused the transition; null for an ordinary transition. */
  readonly reason: string | null;
}

declare module "../schema.ts" {
  interface StoreSchema {
    transitions: TransitionTable;
  }
}

export type TransitionRow = Selectable<TransitionTable>;

export function listTransitions(db: Database, requestId: string): Promise<TransitionRow[]> {
  return db.selectFrom("transitions").selectAll().where("request_id", "=", requestId).orderBy("id").execute();
}

export interface Transition {
  readonly requestId: string;
  /** Required statuses. In any other status, the request does not change. */
  readonly from: readonly RequestStatus[];
  /** Whether the request must already have a failReason; undefined if it does not matter. */
  readonly hasFailReason?: boolean;
  readonly to: RequestStatus;
  readonly at: Date;
  /** Reason to record; the new failReason by default. */
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

/** @returns whether the request was in one of `from` and changed */
export async function transition(db: Database, change: Transition): Promise<boolean> {
  const moved = await moveRequest(db, change).selectFrom("moved").select(statusNotice(change)).execute();
  return moved.length > 0;
}

/**
 * Returns a transition as common table expressions, for use in larger statements. `moved` has a row if the transition
 * happens. The change and its record are one statement, so that a change is recorded if and only if it happens. Add
 * {@link statusNotice} to announce it.
 *
 * @param condition required in addition to the status
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

/** Returns the expression that announces a transition. Select it from `moved`. */
export function statusNotice({ to, at }: Pick<Transition, "to" | "at">): AliasedRawBuilder<unknown, "announced"> {
  return sql`pg_notify(${STATUS_CHANNEL}, json_build_object('requestId', moved.id, 'status', ${to}::text,
    'updatedAt', ${at.getTime()}::bigint, 'webhookKeyHash', (select key_hash from addressed))::text)`.as("announced");
}
