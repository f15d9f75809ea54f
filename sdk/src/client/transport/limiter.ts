import type { Timer } from "../../core/timer.ts";
import { ENDPOINT_FAMILIES, type EndpointFamily } from "./endpoints.ts";
import { createFifoQueue } from "./fifoQueue.ts";
import type { CallLimits } from "./settings.ts";
import { createTokenBucket } from "./tokenBucket.ts";

/** Passed by each try of each call of a client. */
export interface CallLimiter {
  /** @returns call it once when the try has ended */
  enter(family: EndpointFamily, signal: AbortSignal, what: string): Promise<() => void>;
}

/** Rate limit of the family, then the limit of concurrent calls. */
export function createLimiter(limits: CallLimits, maxConcurrentCalls: number, timer: Timer): CallLimiter {
  const buckets = new Map(
    ENDPOINT_FAMILIES.map((family) => {
      const perMinute = limits[family];
      return [family, perMinute === undefined ? undefined : createTokenBucket(perMinute, timer)];
    }),
  );
  const semaphore = createSemaphore(maxConcurrentCalls);
  return {
    async enter(family, signal, what) {
      // The rate first: a call that waits for it must not occupy a slot.
      await buckets.get(family)?.take(signal, what);
      return semaphore.enter(signal, what);
    },
  };
}

export interface Semaphore {
  /**
   * First come, first served.
   *
   * @returns releases the slot; call it once
   */
  enter(signal: AbortSignal, what: string): Promise<() => void>;
}

export function createSemaphore(count: number): Semaphore {
  const line = createFifoQueue();
  let free = count;
  const leave = (): void => {
    // The slot goes to the next in line, so no later caller can take it.
    if (!line.admit()) free += 1;
  };
  return {
    async enter(signal, what) {
      if (free > 0) free -= 1;
      else await line.join(signal, what);
      return leave;
    },
  };
}
