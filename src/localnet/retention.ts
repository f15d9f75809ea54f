import { sleep } from "../core/abort.ts";
import { AbortedError } from "../core/errors.ts";
import { dropOldMonths } from "../store/dropOldMonths.ts";
import type { ServiceContext } from "./context.ts";

/** How often months are looked at. */
const INTERVAL_MS = 3_600_000;

/** Drops the months that are too old when the network starts, and each hour after. */
export function startRetention(
  { store, clock, log }: Pick<ServiceContext, "store" | "clock" | "log">,
  months: number,
): { close(): Promise<void> } {
  const stop = new AbortController();
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        const dropped = await dropOldMonths(store.db, months, new Date(clock.now()));
        if (dropped.length > 0) log.info({ dropped }, "old months were dropped");
      } catch (error) {
        log.error({ error }, "old months could not be dropped");
      }
      await sleep(INTERVAL_MS, stop.signal, "the wait for old months").catch(() => undefined);
    }
  };
  const running = run();
  return {
    async close() {
      stop.abort(new AbortedError({ what: "dropping old months" }));
      await running;
    },
  };
}
