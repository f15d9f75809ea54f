import { AbortedError, pause } from "@crosscall/protocol/core";
import type { DeliveryJob } from "../../store/jobs.ts";
import { forgetSweeps, takeDueDeliveries } from "../../store/webhooks.ts";
import { type DeliveryParts, deliverEvents } from "./deliverEvents.ts";

/** Interval for events without a job, whose process ended before adding it. */
const SWEEP_INTERVAL_MS = 5_000;

const SWEEP_LIMIT = 100;

/** Before an event is queued by a sweep again: its job may wait for others of its key. */
const REPEAT_MS = 300_000;

export async function startWebhooks(parts: DeliveryParts): Promise<{ close(): Promise<void> }> {
  const { store, log } = parts;
  const stop = new AbortController();
  const add = (job: DeliveryJob): Promise<void> =>
    store.deliveries.add(job).catch((error: unknown) => {
      // A sweep finds the event.
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
    // The next sweep finds what was missed.
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
      // An event is noted as queued if and only if its job exists.
      await store.db.transaction().execute(async (db) => {
        for (const job of await takeDueDeliveries(db, SWEEP_LIMIT, REPEAT_MS)) await store.deliveries.add(job, db);
      });
    } catch (error) {
      log.error({ error }, "could not read undelivered events");
    }
  } while (await pause(SWEEP_INTERVAL_MS, signal));
}
