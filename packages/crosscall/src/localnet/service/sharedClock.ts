import { type Clock, systemClock } from "@crosscall/protocol/core";
import type { Log } from "../log.ts";
import { readClockOffset, writeClockOffset } from "../store/network.ts";
import type { Store } from "../store/store.ts";

/** Clock of the service. It can be set, and keeps running. */
export interface SettableClock extends Clock {
  /** Offset from the base clock, in milliseconds. */
  readonly offsetMs: number;
  /** Sets the time in Unix milliseconds. The clock continues from there. */
  set(now: number): void;
  /** Sets the offset from the base clock in milliseconds; negative for the past. */
  setOffset(offsetMs: number): void;
  /** Removes the offset. */
  reset(): void;
}

/** Creates a settable clock on top of the machine's clock or another clock. Its offset is kept in memory. */
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

/** A clock that all processes on one database share. */
export interface SharedClock extends SettableClock {
  /** Resolves when other processes can read the new time. */
  saved(): Promise<void>;
  close(): Promise<void>;
}

export async function shareClock(
  { store, log }: { readonly store: Store; readonly log: Log },
  base?: Clock,
): Promise<SharedClock> {
  const clock = createSettableClock(base);
  let pending = 0;
  let saving = Promise.resolve();
  const save = (): void => {
    const { offsetMs } = clock;
    pending += 1;
    saving = saving
      .catch(() => undefined)
      .then(() => writeClockOffset(store.db, offsetMs))
      .finally(() => (pending -= 1));
    saving.catch((error: unknown) => log.error({ error }, "could not save the clock"));
  };
  const follow = async (): Promise<void> => {
    const offsetMs = await readClockOffset(store.db);
    // While a change by this process is being saved, it takes precedence.
    if (pending === 0 && offsetMs !== undefined) clock.setOffset(offsetMs);
  };
  await follow();
  const changes = await store.onClockChange(() => {
    follow().catch((error: unknown) => log.error({ error }, "could not read the clock"));
  });
  return {
    now: () => clock.now(),
    get offsetMs() {
      return clock.offsetMs;
    },
    set(now) {
      clock.set(now);
      save();
    },
    setOffset(offsetMs) {
      clock.setOffset(offsetMs);
      save();
    },
    reset() {
      clock.reset();
      save();
    },
    saved: () => saving,
    async close() {
      await changes.stop();
      await saving.catch(() => undefined);
    },
  };
}
