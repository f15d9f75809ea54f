import type { Timer } from "../../core/timer.ts";
import { createSemaphore } from "./semaphore.ts";
import { ENDPOINT_FAMILIES, type EndpointFamily } from "./endpoints.ts";
import type { CallLimits } from "./settings.ts";
import { createTokenBucket } from "./tokenBucket.ts";

/** What each try of each call of one client passes. */
export interface CallLimiter {
  /**
   * Waits until the call may be sent.
   *
   * @returns to be called once, when the try has ended
   * @throws {@link AbortedError} when the signal fires first
   */
  enter(family: EndpointFamily, signal: AbortSignal, what: string): Promise<() => void>;
}

/** Gates that hold back by the rate of the family, then by the number of calls under way. */
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
      // The token first: a call that waits for its rate holds no slot that another family could use.
      await buckets.get(family)?.take(signal, what);
      return semaphore.enter(signal, what);
    },
  };
}
