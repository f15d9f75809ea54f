/** Source of the current time, so that tests and replays can set it. */
export interface Clock {
  /** Returns the Unix time in milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}

/** Maximum delay: above it, platform timers fire immediately. */
export const TIMER_MAX_MS = 2 ** 31 - 1;

/** Clock with timers, so that tests can advance the time. */
export interface Timer extends Clock {
  /**
   * Calls `run` once after `durationMs` milliseconds.
   *
   * @returns a function that cancels the call
   */
  schedule(durationMs: number, run: () => void): () => void;
}

export const systemTimer: Timer = {
  now: () => systemClock.now(),
  schedule(durationMs, run) {
    const handle = setTimeout(run, durationMs);
    return () => clearTimeout(handle);
  },
};

export interface TimeLimit {
  readonly timer: Timer;
  readonly timeoutMs: number;
  readonly onTimeout: () => Error;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs work with a signal that aborts on timeout or with the caller's signal. Removes its timer and listener
 * afterwards.
 */
export async function withTimeLimit<Result>(
  { timer, timeoutMs, onTimeout, signal }: TimeLimit,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const forward = (): void => controller.abort(signal?.reason);
  if (signal?.aborted === true) forward();
  signal?.addEventListener("abort", forward);
  const cancel = timer.schedule(timeoutMs, () => controller.abort(onTimeout()));
  try {
    return await work(controller.signal);
  } finally {
    cancel();
    signal?.removeEventListener("abort", forward);
  }
}
