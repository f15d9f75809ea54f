import type { Timer } from "../../../../sdk/src/core/timer.ts";

/** A timer whose time passes only when the test says so. */
export interface VirtualTimer extends Timer {
  /** When what is scheduled is due, in milliseconds, earliest first. */
  readonly due: readonly number[];
  /** Lets time pass, and runs what is due in its order. */
  advance(durationMs: number): Promise<void>;
  /** Waits until something is scheduled for this time, however long real work takes until then. */
  untilDueAt(time: number): Promise<void>;
}

/** A virtual timer that starts at `now`. */
export function virtualTimer(now = 0): VirtualTimer {
  const scheduled = new Set<{ readonly at: number; readonly run: () => void }>();
  const watchers = new Set<() => void>();
  const dues = (): number[] => [...scheduled].map(({ at }) => at).toSorted((a, b) => a - b);
  return {
    now: () => now,
    get due() {
      return dues();
    },
    schedule(durationMs, run) {
      const entry = { at: now + durationMs, run };
      scheduled.add(entry);
      for (const look of watchers) look();
      return () => scheduled.delete(entry);
    },
    async advance(durationMs) {
      await settle();
      const end = now + durationMs;
      for (;;) {
        const [next] = [...scheduled].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        now = Math.max(now, next.at);
        scheduled.delete(next);
        next.run();
        await settle();
      }
      now = end;
      await settle();
    },
    untilDueAt(time) {
      return new Promise((resolve) => {
        const look = (): void => {
          if (!dues().includes(time)) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      });
    },
  };
}

/** Lets the promises that are settled run their course. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
