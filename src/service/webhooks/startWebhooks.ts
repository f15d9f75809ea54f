import { pause } from "@crosscall/sdk/internal/core/abort";
import { AbortedError } from "@crosscall/sdk/internal/core/errors";
import { listRequestsWithDueEvents } from "../../store/webhookEvents.ts";
import { type DeliveryParts, deliverEvents } from "./deliverEvents.ts";

/** Interval for events without a job, whose process ended before adding it. */
const SWEEP_INTERVAL_MS = 5_000;

const SWEEP_LIMIT = 100;

export async function startWebhooks(parts: DeliveryParts): Promise<{ close(): Promise<void> }> {
  const { store, log } = parts;
  const stop = new AbortController();
  const add = (requestId: string): Promise<void> =>
    store.deliveries.add({ requestId }).catch((error: unknown) => {
      // The next sweep finds the event.
      log.error({ requestId, error }, "could not queue a delivery");
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
    onChange({ requestId, hasWebhook }) {
      if (hasWebhook) void add(requestId);
    },
    // The next sweep finds what was missed.
    onGap: () => undefined,
  });
  const sweeps = sweep(parts, add, stop.signal);
  return {
    async close() {
      stop.abort(new AbortedError({ what: "the delivery of webhooks" }));
      await changes.stop();
      await sweeps;
      await work.stop();
    },
  };
}

async function sweep(
  { store, log }: DeliveryParts,
  add: (requestId: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  do {
    try {
      for (const requestId of await listRequestsWithDueEvents(store.db, SWEEP_LIMIT)) await add(requestId);
    } catch (error) {
      log.error({ error }, "could not read undelivered events");
    }
  } while (await pause(SWEEP_INTERVAL_MS, signal));
}
