import { abortable } from "../../core/abort.ts";
import { createDeferred } from "../../core/deferred.ts";
import { TIMER_MAX_MS } from "../../core/timer.ts";
import { pollStatus } from "./pollStatus.ts";
import type { SourceContext } from "./statusSource.ts";

/** Asks for the status at the rate that is needed beside a source that pushes. */
export interface StatusPoller {
  /** Something was pushed. */
  heard(): void;
  /** Whether pushes can be expected from now on; the status is asked for at once, since some may have been missed. */
  setLive(isLive: boolean): void;
  /** Looks until the signal fires, or the service refuses for good. */
  run(): Promise<never>;
}

/** How a poller behaves while pushes are expected. */
export interface StatusPollerOptions {
  /** How long nothing may be pushed before the status is asked for. */
  readonly silenceMs: number;
  readonly isLive: boolean;
  /** Told when a look after a silence brought news: the pushes do not come through. */
  readonly onMissed?: () => void;
}

/** Makes a poller: it looks at the poll interval while nothing pushes, and after silences while something does. */
export function createStatusPoller(context: SourceContext, options: StatusPollerOptions): StatusPoller {
  const { client, requestId, signal, report } = context;
  let { isLive } = options;
  let quietSince = performance.now();
  let wake: () => void = () => undefined;

  /** Waits until the next look is due; tells whether a silence was the reason. */
  async function pause(): Promise<boolean> {
    for (;;) {
      const remainingMs = quietSince + (isLive ? options.silenceMs : context.pollIntervalMs) - performance.now();
      if (remainingMs <= 0) return isLive;
      const woken = createDeferred<boolean>();
      wake = () => woken.resolve(true);
      const timer = setTimeout(() => woken.resolve(false), Math.min(Math.ceil(remainingMs), TIMER_MAX_MS));
      try {
        if (await abortable(woken.promise, signal, `request ${requestId}`)) return false;
      } finally {
        clearTimeout(timer);
      }
    }
  }

  return {
    heard() {
      quietSince = performance.now();
    },
    setLive(value) {
      if (isLive === value) return;
      isLive = value;
      wake();
    },
    async run() {
      for (let wasSilent = false; ;) {
        wake = () => undefined;
        const wasLive = isLive;
        const result = await pollStatus(client, requestId, signal);
        if (report(result) && wasSilent) options.onMissed?.();
        quietSince = performance.now();
        // A change while the answer was on its way is not covered by it.
        wasSilent = wasLive === isLive ? await pause() : false;
      }
    },
  };
}
