/** How often an event is sent again at most (spec 4, section 4). */
const RETRIES_MAX = 10;

/** The wait before the first repetition when none is given, in milliseconds. */
export const FIRST_RETRY_MS = 1_000;

/**
 * How long to wait after an attempt that failed: the first wait, doubled with each further one. The specification says
 * that the waits grow exponentially, and gives none: from one second on, ten repetitions take 17 minutes.
 *
 * @param attempts how many were made
 * @param firstRetryMs the wait after the first
 * @returns milliseconds; undefined where no further attempt is made
 */
export function retryDelayMs(attempts: number, firstRetryMs: number): number | undefined {
  return attempts > RETRIES_MAX ? undefined : firstRetryMs * 2 ** (attempts - 1);
}
