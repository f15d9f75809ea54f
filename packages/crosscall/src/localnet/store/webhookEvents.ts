import { type RawBuilder, sql } from "kysely";

import type { StatusUpdate } from "@crosscall/protocol/complete";
import type { DeliveryJob } from "./jobs.ts";
import type { WebhookEventRow, WebhookEventState } from "./tables/webhookTables.ts";
import type { Database } from "./store.ts";

/**
 * Takes the oldest unfinished event of a request for one attempt, unless another process has it or its next attempt is
 * not due. Events of a request are therefore never reordered.
 *
 * @param holdMs how long no other worker may claim it, in milliseconds; longer than the attempt
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

/** A later taker has a higher attempt. */
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
  /** With `pending`: milliseconds until the next attempt. */
  readonly delayMs?: number;
}

/** @returns false if another process has taken the event meanwhile; nothing is recorded then */
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

/** Returns an event without an attempt. */
export async function returnWebhookEvent(db: Database, { id, attempts }: TakenEvent): Promise<void> {
  await db
    .updateTable("webhook_events")
    .set({ attempts: attempts - 1, held_until: null })
    .where("id", "=", id)
    .where("attempts", "=", attempts)
    .execute();
}

/**
 * The requests with due events, oldest first, which may stem from a process that ended. They are not returned again for
 * a while.
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

/** After a start, all due events are swept: a snapshot has no jobs. */
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
  /** Ids of earlier pages start here. */
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

/** By the database's clock, which all processes share. */
function fromNow(durationMs: number): RawBuilder<Date> {
  return sql<Date>`now() + ${durationMs}::double precision * interval '1 millisecond'`;
}
