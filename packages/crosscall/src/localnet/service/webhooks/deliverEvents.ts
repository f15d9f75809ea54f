import { AbortedError, pause } from "@crosscall/protocol/core";
import type { DeliveryJob } from "../../store/jobs.ts";
import {
  type AttemptResult,
  findWebhook,
  forgetSweeps,
  recordAttempt,
  returnWebhookEvent,
  takeDueDeliveries,
  takeWebhookEvent,
  type WebhookEventRow,
  writeEventData,
} from "../../store/webhooks.ts";
import { describeStatus } from "../records/status.ts";
import type { Reporter } from "../../log.ts";
import type { Recorder } from "../../market/market.ts";
import type { WebhookSender } from "../serviceParts.ts";
import { openWebhook } from "./secretBox.ts";
import { type SendOutcome, sendWebhook } from "./sendWebhook.ts";
import { retryDelayMs } from "./settings.ts";

/** Interval of sweeps for events without a job. Their process ended before it added the job. */
const SWEEP_INTERVAL_MS = 5_000;

const SWEEP_LIMIT = 100;

/** Wait before a sweep queues an event again, because its job may wait for other jobs of its key. */
const REPEAT_MS = 300_000;

export async function startWebhooks(parts: DeliveryParts): Promise<{ close(): Promise<void> }> {
  const { store, log } = parts;
  const stop = new AbortController();
  const add = (job: DeliveryJob): Promise<void> =>
    store.deliveries.add(job).catch((error: unknown) => {
      // The next sweep finds the event.
      log.error({ requestId: job.requestId, error }, "could not queue a delivery");
    });
  const work = await store.deliveries.work(async ({ requestId }, signal) => {
    try {
      await deliverEvents(parts, requestId, AbortSignal.any([signal, stop.signal]));
    } catch (error) {
      // The queue retries the job.
      log.error({ requestId, error }, "a webhook job failed");
      throw error;
    }
  });
  const changes = await store.onStatusChange({
    onChange({ requestId, webhookKeyHash: keyHash }) {
      if (keyHash !== null) void add({ requestId, keyHash });
    },
    // The next sweep finds missed events.
    onGap: () => undefined,
  });
  await forgetSweeps(store.db);
  const sweeps = sweep(parts, stop.signal);
  return {
    async close() {
      stop.abort(new AbortedError({ what: "the delivery of webhooks" }));
      await changes.stop();
      await sweeps;
      await work.stop();
    },
  };
}

async function sweep({ store, log }: DeliveryParts, signal: AbortSignal): Promise<void> {
  do {
    try {
      // Marks an event as queued if and only if its job exists.
      await store.db.transaction().execute(async (db) => {
        for (const job of await takeDueDeliveries(db, SWEEP_LIMIT, REPEAT_MS)) await store.deliveries.add(job, db);
      });
    } catch (error) {
      log.error({ error }, "could not read undelivered events");
    }
  } while (await pause(SWEEP_INTERVAL_MS, signal));
}

export type DeliveryParts = Reporter & Recorder & WebhookSender;

/** Additional time to record the outcome of an attempt, in milliseconds. */
const HOLD_MARGIN_MS = 1_000;

/**
 * Delivers the events of a request to its webhook, oldest first, until no event is left or the next event is not due
 * yet. Safe to run concurrently and after a crash: events are delivered at least once, and in order. When the signal
 * fires, the next run delivers the rest.
 */
async function deliverEvents(parts: DeliveryParts, requestId: string, signal: AbortSignal): Promise<void> {
  const isStopped = (): boolean => signal.aborted;
  while (!isStopped()) {
    const event = await takeWebhookEvent(parts.store.db, requestId, parts.webhooks.timeoutMs + HOLD_MARGIN_MS);
    if (event === undefined) return;
    const outcome = await attempt(parts, event, signal);
    if (isStopped() && !outcome.isDelivered) await returnWebhookEvent(parts.store.db, event);
    else await note(parts, event, outcome);
  }
}

/** `isFinal`: no further attempt can succeed. */
type Attempt = SendOutcome & { readonly isFinal?: boolean };

async function attempt(parts: DeliveryParts, event: WebhookEventRow, signal: AbortSignal): Promise<Attempt> {
  const { store, webhooks, clock } = parts;
  const { request_id: requestId, status, status_at: at } = event;
  const webhook = await findWebhook(store.db, event.key_hash);
  if (webhook === undefined) return unsent("the webhook was removed", true);
  const secrets = openWebhook(webhooks.secretBox, webhook);
  if (secrets === undefined) return unsent("its key was encrypted by an earlier version: set the webhook again");
  const data = event.data ?? (await describeStatus(store.db, { requestId, status, updatedAt: at.getTime() }));
  if (data === undefined) return unsent("the request no longer exists", true);
  if (event.data === null) await writeEventData(store.db, event, data);
  const { policy, timeoutMs } = webhooks;
  return sendWebhook({ url: webhook.url, ...secrets, data, now: clock.now(), policy, timeoutMs, signal });
}

function unsent(problem: string, isFinal = false): Attempt {
  return { isDelivered: false, answerStatus: null, problem, isFinal };
}

/** Records the outcome of an attempt. The job of the next attempt exists if and only if this outcome is recorded. */
async function note({ store, webhooks, log }: DeliveryParts, event: WebhookEventRow, outcome: Attempt): Promise<void> {
  const { isDelivered, isFinal = false, answerStatus, problem } = outcome;
  const delayMs = isDelivered || isFinal ? undefined : retryDelayMs(event.attempts, webhooks.firstRetryMs);
  const result: AttemptResult = {
    state: isDelivered ? "delivered" : delayMs === undefined ? "undelivered" : "pending",
    answerStatus,
    problem,
    ...(delayMs === undefined ? {} : { delayMs }),
  };
  if (result.state === "undelivered") {
    log.warn({ requestId: event.request_id, status: event.status, problem }, "webhook delivery failed");
  }
  await store.db.transaction().execute(async (db) => {
    const isNoted = await recordAttempt(db, event, result);
    if (!isNoted || delayMs === undefined) return;
    const job: DeliveryJob = { requestId: event.request_id, keyHash: event.key_hash };
    await store.deliveries.add(job, db, delayMs);
  });
}
