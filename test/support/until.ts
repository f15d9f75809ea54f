import { setTimeout } from "node:timers/promises";

export interface UntilOptions {
  /** Name of the awaited condition, used in the error if the wait hangs. */
  readonly what?: string;
  readonly signal?: AbortSignal;
}

const PAUSE_MS = 30;

/** Time limit that catches a hang. It is long enough for slow machines. */
const HANG_SECONDS = 300 * Number(process.env.CROSSCALL_TEST_TIMEOUT_FACTOR ?? 1);

/**
 * Polls a condition until it returns a value, and returns that value.
 *
 * @param condition returns `undefined` or `false` while the wait continues
 * @throws if the signal aborts, or if the wait hangs
 */
export async function until<Value>(
  condition: () => Value | undefined | false | Promise<Value | undefined | false>,
  { what = "a condition", signal }: UntilOptions = {},
): Promise<Value> {
  const hangsAt = performance.now() + HANG_SECONDS * 1000;
  for (;;) {
    signal?.throwIfAborted();
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (performance.now() >= hangsAt) throw new Error(`waited ${HANG_SECONDS} s for ${what}`);
    await setTimeout(PAUSE_MS, undefined, signal === undefined ? {} : { signal });
  }
}
