/** Spec 4, section 4. */
const RETRIES_MAX = 10;

/** In milliseconds. */
export const FIRST_RETRY_MS = 1_000;

/**
 * The wait after a failed attempt; it doubles each time. The specification asks for exponential backoff without
 * numbers: starting at one second, ten retries take 17 minutes.
 *
 * @param attempts attempts so far
 * @returns milliseconds; undefined after the last attempt
 */
export function retryDelayMs(attempts: number, firstRetryMs: number): number | undefined {
  return attempts > RETRIES_MAX ? undefined : firstRetryMs * 2 ** (attempts - 1);
}
