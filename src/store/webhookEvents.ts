import { type RawBuilder, sql } from "kysely";

import type { StatusUpdate } from "@crosscall/sdk/internal/protocol/complete";
import type { WebhookEventRow, WebhookEventState } from "./tables/webhookTables.ts";
import type { Database } from "./store.ts";

/**
 * Takes the next event of a request for one attempt: the oldest that is not done, unless somebody else is at it or its
 * next attempt is not due. So no event overtakes an earlier one of its request, in however many processes.
 *
 * @param holdMs how long nobody else may take it, in milliseconds: longer than the attempt takes
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

/** An event that was taken, and its attempt: who took it later has another. */
export type TakenEvent = Pick<WebhookEventRow, "id" | "attempts">;

/** Writes what an event tells, before its first attempt. */
export async function writeEventData(db: Database, { id }: TakenEvent, data: StatusUpdate): Promise<void> {
  await db
    .updateTable("webhook_events")
    .set({ data: JSON.stringify(data) })
    .where("id", "=", id)
    .execute();
}

/** What came of an attempt. */
export interface AttemptResult {
  readonly state: WebhookEventState;
  readonly answerStatus: number | null;
  readonly problem: string | null;
  /** With `pending`: how long until the next attempt, in milliseconds. */
  readonly delayMs?: number;
}

/**
 * Notes what came of an attempt.
 *
 * @returns false where somebody else has taken the event meanwhile: then nothing is noted
 */
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

/** Gives an event back that was taken and not tried: the attempt does not count. */
export async function returnWebhookEvent(db: Database, { id, attempts }: TakenEvent): Promise<void> {
  await db
    .updateTable("webhook_events")
    .set({ attempts: attempts - 1, held_until: null })
    .where("id", "=", id)
    .where("attempts", "=", attempts)
    .execute();
}

/** Requests whose next event could be taken now, oldest event first: those that a process that ended left behind. */
export async function listRequestsWithDueEvents(db: Database, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("webhook_events as event")
    .select("event.request_id")
    .where("event.state", "=", "pending")
    .where((event) =>
      event.or([event("event.held_until", "is", null), event("event.held_until", "<=", sql<Date>`now()`)]),
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
    .limit(limit)
    .execute();
  return rows.map((row) => row.request_id);
}

/** Which deliveries are asked for. */
export interface DeliveryQuery {
  readonly state?: WebhookEventState;
  readonly requestId?: string;
  /** Those of an earlier page have ids from this one on. */
  readonly before?: number;
  readonly limit: number;
}

/** Events of webhooks with what came of them, newest first. */
export function listDeliveries(db: Database, query: DeliveryQuery): Promise<WebhookEventRow[]> {
  let select = db.selectFrom("webhook_events").selectAll().orderBy("id", "desc").limit(query.limit);
  if (query.state !== undefined) select = select.where("state", "=", query.state);
  if (query.requestId !== undefined) select = select.where("request_id", "=", query.requestId);
  if (query.before !== undefined) select = select.where("id", "<", query.before);
  return select.execute();
}

/** How many events there are, by state. */
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
