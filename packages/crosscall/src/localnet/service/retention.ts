import { AbortedError, pause } from "@crosscall/protocol/core";
import { dropOldMonths } from "../store/requests/months.ts";
import { dropDeliveredEvents } from "../store/webhooks.ts";
import type { Reporter } from "../log.ts";
import type { Recorder } from "../market/market.ts";

const INTERVAL_MS = 3_600_000;

export interface Retention {
  /** Number of months to keep, including the current month. */
  readonly months?: number | undefined;
  /** Counted from delivery. */
  readonly deliveryDays?: number | undefined;
}

export function startRetention(
  { store, clock, log }: Reporter & Recorder,
  { months, deliveryDays }: Retention,
): { close(): Promise<void> } {
  const stop = new AbortController();
  const attempt = (what: string, drop: () => Promise<number>): Promise<void> =>
    drop().then(
      (count) => {
        if (count > 0) log.info({ count }, `${what} were dropped`);
      },
      (error: unknown) => log.error({ error }, `${what} could not be deleted`),
    );
  const run = async (): Promise<void> => {
    do {
      if (months !== undefined) {
        await attempt("old months", async () => {
          return (await dropOldMonths(store.db, months, new Date(clock.now()))).length;
        });
      }
      if (deliveryDays !== undefined) {
        await attempt("delivered events", () => dropDeliveredEvents(store.db, deliveryDays));
      }
    } while (await pause(INTERVAL_MS, stop.signal));
  };
  const running = run();
  return {
    async close() {
      stop.abort(new AbortedError({ what: "deleting old data" }));
      await running;
    },
  };
}
