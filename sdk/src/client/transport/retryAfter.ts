/**
 * Reads a `Retry-After` header: whole seconds or an HTTP date (RFC 9110, section 10.2.3).
 *
 * @param now Unix time in milliseconds
 * @returns milliseconds from now, never below zero; undefined where the header is missing or says neither
 */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d+$/u.test(text)) return Number(text) * 1_000;
  // Every HTTP date names its weekday; `Date.parse` alone would take "1.5" or "-1" for a date.
  const time = /^[A-Za-z]{3,9},? /u.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
