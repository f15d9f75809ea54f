import { throwIfAborted } from "./abort.ts";
import { type Clock, systemClock } from "./clock.ts";

/** The longest that the platform's timers wait, in milliseconds: longer ones end at once. */
export const TIMER_MAX_MS = 2 ** 31 - 1;

/** A clock that can also wait, so that tests can advance time. */
export interface Timer extends Clock {
  /**
   * Calls `run` once, after `durationMs` milliseconds.
   *
   * @returns cancels the call; without effect once it was made
   */
  schedule(durationMs: number, run: () => void): () => void;
}

/** The machine's own clock and timers. */
export const systemTimer: Timer = {
  now: () => systemClock.now(),
  schedule(durationMs, run) {
    const handle = setTimeout(run, durationMs);
    return () => clearTimeout(handle);
  },
};

/**
 * Waits on a timer, and stops waiting at once when the signal fires.
 *
 * @param durationMs how long, in milliseconds
 * @param what names what is being waited for, for the error
 * @throws {@link AbortedError} when the signal fires
 */
export async function waitOn(timer: Timer, durationMs: number, signal: AbortSignal, what: string): Promise<void> {
  throwIfAborted(signal, what);
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      cancel();
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const cancel = timer.schedule(durationMs, finish);
    signal.addEventListener("abort", finish);
  });
  throwIfAborted(signal, what);
}

/** How long work may take, and who else may end it. */
export interface TimeLimit {
  readonly timer: Timer;
  readonly timeoutMs: number;
  /** What the work is ended with when the time is over. */
  readonly onTimeout: () => Error;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs work under a signal that fires when the time is over or the caller's signal fires, with the reason of whichever
 * it was. Neither a timer nor a listener is left behind.
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
