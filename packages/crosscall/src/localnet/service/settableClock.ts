import { type Clock, systemClock } from "@crosscall/protocol/core";

/** The service's clock, which you can set. It keeps running. */
export interface SettableClock extends Clock {
  /** Offset from the base clock, in milliseconds. */
  readonly offsetMs: number;
  /** Sets the time in Unix milliseconds; the clock continues from there. */
  set(now: number): void;
  /** Offset from the base clock in milliseconds; negative is the past. */
  setOffset(offsetMs: number): void;
  /** Removes the offset. */
  reset(): void;
}

/** A settable clock over the machine's own or another. Kept in memory. */
export function createSettableClock(base: Clock = systemClock): SettableClock {
  let offsetMs = 0;
  return {
    now: () => base.now() + offsetMs,
    get offsetMs() {
      return offsetMs;
    },
    set(now) {
      offsetMs = now - base.now();
    },
    setOffset(newOffsetMs) {
      offsetMs = newOffsetMs;
    },
    reset() {
      offsetMs = 0;
    },
  };
}
