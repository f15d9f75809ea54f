import type { Timer } from "../../core/timer.ts";
import { createFifoQueue } from "./fifoQueue.ts";

const MINUTE_MS = 60_000;

/** Part of a minute's tokens that form a burst. */
const BURST_DIVISOR = 5;

export interface TokenBucket {
  /**
   * First come, first served.
   *
   * @param what names the call, for the error
   */
  take(signal: AbortSignal, what: string): Promise<void>;
}

/**
 * At most `perMinute` tokens in any minute: a fifth as a burst, the others evenly. A plain bucket would allow twice as
 * many.
 */
export function createTokenBucket(perMinute: number, timer: Timer): TokenBucket {
  const capacity = Math.max(1, Math.floor(perMinute / BURST_DIVISOR));
  // One more than the rest: the token at the end of a minute belongs to the next.
  const tokensPerMs = (perMinute - capacity + 1) / MINUTE_MS;
  const line = createFifoQueue();
  let tokens = capacity;
  let refilledAt = timer.now();
  let cancel: (() => void) | undefined;

  const refill = (): void => {
    const now = timer.now();
    // A clock that is set back takes no token away.
    tokens = Math.min(capacity, tokens + Math.max(0, now - refilledAt) * tokensPerMs);
    refilledAt = now;
  };
  const scheduleNext = (): void => {
    cancel?.();
    cancel = line.length === 0 ? undefined : timer.schedule(Math.ceil((1 - tokens) / tokensPerMs), serve);
  };
  const serve = (): void => {
    refill();
    while (tokens >= 1 && line.admit()) tokens -= 1;
    scheduleNext();
  };

  return {
    async take(signal, what) {
      refill();
      if (line.length === 0 && tokens >= 1) {
        tokens -= 1;
        return;
      }
      const admitted = line.join(signal, what);
      if (cancel === undefined) scheduleNext();
      try {
        await admitted;
      } finally {
        if (line.length === 0) scheduleNext();
      }
    },
  };
}
