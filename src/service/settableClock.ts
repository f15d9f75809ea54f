import { type Clock, systemClock } from "@crosscall/sdk/internal/core/clock";

/** The service's clock, which you can set. It keeps running. */
export interface SettableClock extends Clock {
  /** How far it is set from its base, in milliseconds. */
  readonly offsetMs: number;
  /** Sets the time; it runs on from there. Unix milliseconds. */
  set(now: number): void;
  /** Sets how far it is from its base, in milliseconds; negative for the past. */
  setOffset(offsetMs: number): void;
  /** Goes by its base again. */
  reset(): void;
}

/** A clock that can be set, over the machine's own or another. Kept in the process. */
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
