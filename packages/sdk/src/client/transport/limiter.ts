import { createDeferred, throwIfAborted, type Timer } from "@crosscall/protocol/core";
import { ENDPOINT_FAMILIES, type EndpointFamily } from "./endpoints.ts";
import type { CallLimits } from "./settings.ts";

const MINUTE_MS = 60_000;

/** Part of a minute's tokens that can be used in a burst. */
const BURST_DIVISOR = 5;

/** Fits the limit of 10 quotes or listings per second with an API key, together with the tokens added in a second. */
const KEY_BURST = 6;

export interface TokenBucket {
  /**
   * Takes a token, first come, first served.
   * @param what name of the request, for the error
   */
  take(signal: AbortSignal, what: string): Promise<void>;
}

/**
 * Allows at most `perMinute` tokens in any minute: a fifth in a burst, or `maxBurst`, and the rest spread evenly. A
 * plain bucket would allow twice as many.
 */
export function createTokenBucket(perMinute: number, timer: Timer, maxBurst = perMinute): TokenBucket {
  const capacity = Math.max(1, Math.min(maxBurst, Math.floor(perMinute / BURST_DIVISOR)));
  // Adds one token to the rest, because the token at the end of a minute belongs to the next minute.
  const tokensPerMs = (perMinute - capacity + 1) / MINUTE_MS;
  const line = createFifoQueue();
  let tokens = capacity;
  let refilledAt = timer.now();
  let cancel: (() => void) | undefined;

  const refill = (): void => {
    const now = timer.now();
    // A clock that is set back must not remove tokens.
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

/** Limiter of all attempts of a client's requests. */
export interface CallLimiter {
  /** @returns a function to call once when the attempt ends */
  enter(family: EndpointFamily, signal: AbortSignal, what: string): Promise<() => void>;
}

/** Applies the rate limit of the family, then the limit of concurrent requests. */
export function createLimiter(limits: CallLimits, maxConcurrentCalls: number, timer: Timer): CallLimiter {
  const buckets = new Map(
    ENDPOINT_FAMILIES.map((family) => {
      const perMinute = limits[family];
      const maxBurst = family === "other" ? undefined : KEY_BURST;
      return [family, perMinute === undefined ? undefined : createTokenBucket(perMinute, timer, maxBurst)];
    }),
  );
  const semaphore = createSemaphore(maxConcurrentCalls);
  return {
    async enter(family, signal, what) {
      // The rate limit comes first, because a waiting request must not occupy a slot.
      await buckets.get(family)?.take(signal, what);
      return semaphore.enter(signal, what);
    },
  };
}

export interface Semaphore {
  /**
   * Takes a slot, first come, first served.
   * @returns a function that releases the slot; call it once
   */
  enter(signal: AbortSignal, what: string): Promise<() => void>;
}

export function createSemaphore(count: number): Semaphore {
  const line = createFifoQueue();
  let free = count;
  const leave = (): void => {
    // Passes the slot to the next in line, so that no later caller can take it.
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

export interface FifoQueue {
  readonly length: number;
  /** Waits until {@link FifoQueue.admit} reaches this caller; afterwards, the signal has no effect. */
  join(signal: AbortSignal, what: string): Promise<void>;
  /** Admits the first in line; false if the queue is empty. */
  admit(): boolean;
}

function createFifoQueue(): FifoQueue {
  const waiting: (() => void)[] = [];
  return {
    get length() {
      return waiting.length;
    },
    async join(signal, what) {
      throwIfAborted(signal, what);
      const { promise, resolve } = createDeferred<"admitted" | "aborted">();
      const abort = (): void => {
        waiting.splice(waiting.indexOf(enter), 1);
        signal.removeEventListener("abort", abort);
        resolve("aborted");
      };
      const enter = (): void => {
        signal.removeEventListener("abort", abort);
        resolve("admitted");
      };
      waiting.push(enter);
      signal.addEventListener("abort", abort);
      if ((await promise) === "aborted") throwIfAborted(signal, what);
    },
    admit() {
      const enter = waiting.shift();
      enter?.();
      return enter !== undefined;
    },
  };
}
