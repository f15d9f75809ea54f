import type { Clock } from "@crosscall/protocol/core";

export interface RateLimitState {
  readonly isOver: boolean;
  readonly headers: Readonly<Record<string, number>>;
}

/** Rate limit with fixed windows per IP address. */
export interface RateLimit {
  count(address: string): Promise<RateLimitState> | RateLimitState;
}

/** Rate limit that counts in this process. */
export interface LocalRateLimit extends RateLimit {
  count(address: string): RateLimitState;
}

/** Number of requests after which expired windows are removed. */
const SWEEP_EVERY = 1000;

/** @param max requests per window */
export function createRateLimit(
  { max, windowMs }: { readonly max: number; readonly windowMs: number },
  clock: Clock,
): LocalRateLimit {
  const windows = new Map<string, { endsAt: number; calls: number }>();
  let counted = 0;
  return {
    count(address) {
      const now = clock.now();
      counted += 1;
      if (counted % SWEEP_EVERY === 0) {
        for (const [other, { endsAt }] of windows) if (endsAt <= now) windows.delete(other);
      }
      let window = windows.get(address);
      // A window does not last longer if the clock is set back.
      if (window === undefined || window.endsAt <= now || window.endsAt > now + windowMs) {
        window = { endsAt: now + windowMs, calls: 0 };
        windows.set(address, window);
      }
      window.calls += 1;
      const reset = Math.ceil((window.endsAt - now) / 1000);
      const isOver = window.calls > max;
      return {
        isOver,
        headers: {
          "x-ratelimit-limit": max,
          "x-ratelimit-remaining": Math.max(max - window.calls, 0),
          "x-ratelimit-reset": reset,
          ...(isOver ? { "retry-after": reset } : {}),
        },
      };
    },
  };
}
