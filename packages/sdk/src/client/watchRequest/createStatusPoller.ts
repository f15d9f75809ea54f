import { abortable, createDeferred, TIMER_MAX_MS } from "@crosscall/protocol/core";
import { pollStatus } from "./pollStatus.ts";
import type { SourceContext } from "./statusSource.ts";

/** Polls as often as needed next to a source that pushes. */
export interface StatusPoller {
  heard(): void;
  /** Pushes are expected from now on; polls at once, since some may have been missed. */
  setLive(isLive: boolean): void;
  /** Until the signal fires, or the service rejects the request for good. */
  run(): Promise<never>;
}

export interface StatusPollerOptions {
  /** Polls after this time without a push. */
  readonly silenceMs: number;
  readonly isLive: boolean;
  /** Called when a poll after silence found a change: pushes do not arrive. */
  readonly onMissed?: () => void;
}

/** Polls at the interval while nothing pushes, and after silence otherwise. */
export function createStatusPoller(context: SourceContext, options: StatusPollerOptions): StatusPoller {
  const { client, requestId, signal, report } = context;
  let { isLive } = options;
  let quietSince = performance.now();
  let wake: () => void = () => undefined;

  /** @returns whether it ended because of silence */
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
        // A change during the poll is not covered by its response.
        wasSilent = wasLive === isLive ? await pause() : false;
      }
    },
  };
}
