import type { Timer } from "../../../../packages/protocol/src/core/timer.ts";

/** Timer with time that advances only on request. */
export interface VirtualTimer extends Timer {
  /** Due times of the scheduled work, in milliseconds, earliest first. */
  readonly due: readonly number[];
  /** Advances the time, and runs due work in order. */
  advance(durationMs: number): Promise<void>;
  /** Waits until work is scheduled for this time, regardless of real time. */
  untilDueAt(time: number): Promise<void>;
}

/** Creates a virtual timer that starts at `now`. */
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

/** Waits until the callbacks of settled promises have run. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
