import {
  type ColumnType,
  type Generated,
  type Insertable,
  type JSONColumnType,
  type RawBuilder,
  type Selectable,
  sql,
} from "kysely";

import type { StatusUpdate } from "@crosscall/protocol/complete";
import type { RequestStatus } from "@crosscall/protocol/request";
import type { DeliveryJob } from "./jobs.ts";
import type { Database, TimeColumn } from "./schema.ts";

export interface WebhookTable {
  readonly key_hash: string;
  readonly url: string;
  readonly header_names: string[];
  /** Encrypted key and headers. */
  readonly sealed: string;
  readonly created_at: TimeColumn;
}

/** State of an event; `undelivered` after the last attempt. */
export type WebhookEventState = "pending" | "delivered" | "undelivered";

/** A webhook event, which is written together with the status change. */
export interface WebhookEventTable {
  readonly id: Generated<number>;
  readonly request_id: string;
  readonly key_hash: string;
  readonly status: RequestStatus;
  readonly status_at: TimeColumn;
  /** Content of the event; null until the first attempt. */
  data: JSONColumnType<StatusUpdate | null, string | null>;
  state: Generated<WebhookEventState>;
  attempts: Generated<number>;
  answer_status: number | null;
  problem: string | null;
  held_until: ColumnType<Date | null, Date | null>;
  finished_at: ColumnType<Date | null, Date | null>;
  /** Time at which a sweep added a job for the event. */
  swept_at: ColumnType<Date | null, Date | null>;
}

declare module "./schema.ts" {
  interface StoreSchema {
    webhooks: WebhookTable;
    webhook_events: WebhookEventTable;
  }
}

export type WebhookRow = Selectable<WebhookTable>;

export type WebhookEventRow = Selectable<WebhookEventTable>;

export async function setWebhook(db: Database, webhook: Insertable<WebhookTable>): Promise<void> {
  const { key_hash: _, ...rest } = webhook;
  await db
    .insertInto("webhooks")
    .values(webhook)
    .onConflict((conflict) => conflict.column("key_hash").doUpdateSet(rest))
    .execute();
}

export function findWebhook(db: Database, keyHash: string): Promise<WebhookRow | undefined> {
  return db.selectFrom("webhooks").selectAll().where("key_hash", "=", keyHash).executeTakeFirst();
}

export function listWebhooks(db: Database): Promise<WebhookRow[]> {
  return db.selectFrom("webhooks").selectAll().orderBy("created_at").orderBy("key_hash").execute();
}

/** @returns whether a webhook existed */
export async function removeWebhook(db: Database, keyHash: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("webhooks").where("key_hash", "=", keyHash).executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Takes the oldest unfinished event of a request for one attempt, unless another process has taken it or its next
 * attempt is not due. The order of a request's events is preserved.
 *
 * @param holdMs milliseconds during which no other worker can claim the event; must be longer than the attempt
 */
export function takeWebhookEvent(
  db: Database,
  requestId: string,
  holdMs: number,
): Promise<WebhookEventRow | undefined> {
  return db
    .updateTable("webhook_events")
    .set((event) => ({ attempts: event("attempts", "+", 1), held_until: fromNow(holdMs) }))
    .where("id", "=", (oldest) =>
      oldest
        .selectFrom("webhook_events as pending")
        .select("pending.id")
        .where("pending.request_id", "=", requestId)
        .where("pending.state", "=", "pending")
        .orderBy("pending.id")
        .limit(1),
    )
    .where("state", "=", "pending")
    .where((event) => event.or([event("held_until", "is", null), event("held_until", "<=", sql<Date>`now()`)]))
    .returningAll()
    .executeTakeFirst();
}

/** An event that was taken for an attempt. A later claim has a higher attempt number. */
export type TakenEvent = Pick<WebhookEventRow, "id" | "attempts">;

export async function writeEventData(db: Database, { id }: TakenEvent, data: StatusUpdate): Promise<void> {
  await db
    .updateTable("webhook_events")
    .set({ data: JSON.stringify(data) })
    .where("id", "=", id)
    .execute();
}

export interface AttemptResult {
  readonly state: WebhookEventState;
  readonly answerStatus: number | null;
  readonly problem: string | null;
  /** Milliseconds until the next attempt; for `pending`. */
  readonly delayMs?: number;
}

/** @returns false if another process has taken the event meanwhile, so that the attempt is not recorded */
export async function recordAttempt(
  db: Database,
  { id, attempts }: TakenEvent,
  result: AttemptResult,
): Promise<boolean> {
  const { state, answerStatus, problem, delayMs = 0 } = result;
  const isDone = state !== "pending";
  const { numUpdatedRows } = await db
    .updateTable("webhook_events")
    .set({
      state,
      answer_status: answerStatus,
      problem,
      held_until: isDone ? null : fromNow(delayMs),
      finished_at: isDone ? sql<Date>`now()` : null,
    })
    .where("id", "=", id)
    .where("attempts", "=", attempts)
    .where("state", "=", "pending")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Releases an event without counting an attempt. */
export async function returnWebhookEvent(db: Database, { id, attempts }: TakenEvent): Promise<void> {
  await db
    .updateTable("webhook_events")
    .set({ attempts: attempts - 1, held_until: null })
    .where("id", "=", id)
    .where("attempts", "=", attempts)
    .execute();
}

/**
 * Finds requests with due events, oldest first, including events of a process that ended. A request is not returned
 * again for some time.
 */
export async function takeDueDeliveries(db: Database, limit: number, repeatMs: number): Promise<DeliveryJob[]> {
  const rows = await db
    .updateTable("webhook_events as swept")
    .set({ swept_at: sql<Date>`now()` })
    .where("swept.id", "in", (due) =>
      due
        .selectFrom("webhook_events as event")
        .select("event.id")
        .where("event.state", "=", "pending")
        .where((event) =>
          event.or([event("event.held_until", "is", null), event("event.held_until", "<=", sql<Date>`now()`)]),
        )
        .where((event) =>
          event.or([event("event.swept_at", "is", null), event("event.swept_at", "<=", fromNow(-repeatMs))]),
        )
        .where((event) =>
          event.not(
            event.exists(
              event
                .selectFrom("webhook_events as earlier")
                .select("earlier.id")
                .whereRef("earlier.request_id", "=", "event.request_id")
                .whereRef("earlier.id", "<", "event.id")
                .where("earlier.state", "=", "pending"),
            ),
          ),
        )
        .orderBy("event.id")
        .limit(limit),
    )
    .returning(["swept.id", "swept.request_id", "swept.key_hash"])
    .execute();
  return rows
    .toSorted((one, other) => one.id - other.id)
    .map(({ request_id: requestId, key_hash: keyHash }) => ({ requestId, keyHash }));
}

/** Sweeps all due events after a start, because a snapshot has no jobs. */
export async function forgetSweeps(db: Database): Promise<void> {
  await db
    .updateTable("webhook_events")
    .set({ swept_at: null })
    .where("state", "=", "pending")
    .where("swept_at", "is not", null)
    .execute();
}

export interface DeliveryQuery {
  readonly state?: WebhookEventState;
  readonly requestId?: string;
  /** Exclusive upper bound of the ids: the lowest id on earlier pages. */
  readonly before?: number;
  readonly limit: number;
}

export function listDeliveries(db: Database, query: DeliveryQuery): Promise<WebhookEventRow[]> {
  let select = db.selectFrom("webhook_events").selectAll().orderBy("id", "desc").limit(query.limit);
  if (query.state !== undefined) select = select.where("state", "=", query.state);
  if (query.requestId !== undefined) select = select.where("request_id", "=", query.requestId);
  if (query.before !== undefined) select = select.where("id", "<", query.before);
  return select.execute();
}

export async function countDeliveries(db: Database): Promise<{ state: WebhookEventState; count: number }[]> {
  const rows = await db
    .selectFrom("webhook_events")
    .select(["state", ({ fn }) => fn.countAll<string | number>().as("count")])
    .groupBy("state")
    .execute();
  return rows.map(({ state, count }) => ({ state, count: Number(count) }));
}

/** Returns a time on the database's clock, which all processes share. */
function fromNow(durationMs: number): RawBuilder<Date> {
  return sql<Date>`now() + ${durationMs}::double precision * interval '1 millisecond'`;
}

/** Number of events to delete at a time, so that deliveries do not wait. */
const BATCH = 5_000;

/**
 * Deletes old delivered events. Undelivered events are kept, and deleted with their request.
 *
 * @param days minimum age in days on the database's clock, at least 1
 */
export async function dropDeliveredEvents(db: Database, days: number): Promise<number> {
  for (let count = 0; ;) {
    const { numDeletedRows } = await db
      .deleteFrom("webhook_events")
      .where("id", "in", (old) =>
        old
          .selectFrom("webhook_events as old")
          .select("old.id")
          .where("old.state", "=", "delivered")
          .where("old.finished_at", "<", sql<Date>`now() - ${days}::integer * interval '1 day'`)
          // Sorted by id to use the index of states.
          .orderBy("old.id")
          .limit(BATCH),
      )
      .executeTakeFirst();
    count += Number(numDeletedRows);
    if (numDeletedRows < BigInt(BATCH)) return count;
  }
}
