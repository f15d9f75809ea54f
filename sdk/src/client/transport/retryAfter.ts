/**
 * Whole seconds or an HTTP date (RFC 9110, section 10.2.3).
 *
 * @param now Unix time in milliseconds
 * @returns milliseconds from now, at least 0; undefined for other values
 */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d+$/u.test(text)) return Number(text) * 1_000;
  // Every HTTP date has a weekday; `Date.parse` alone would accept "1.5" and "-1".
  const time = /^[A-Za-z]{3,9},? /u.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
