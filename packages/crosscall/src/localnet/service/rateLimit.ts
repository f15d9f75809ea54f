export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;

/** Counts HTTP requests per period in memory, separately in each process. */
export class RateLimit {
  readonly #periodMs: number;
  #period = 0;
  readonly #calls = new Map<string, number>();

  constructor(periodMs = MINUTE_MS) {
    this.#periodMs = periodMs;
  }

  /** @returns false if the request exceeds the limit */
  take(who: string, callsPerPeriod: number, nowMs: number): boolean {
    const period = Math.floor(nowMs / this.#periodMs);
    // Drops the counts of earlier periods to limit memory use.
    if (period !== this.#period) this.#calls.clear();
    this.#period = period;
    const calls = (this.#calls.get(who) ?? 0) + 1;
    this.#calls.set(who, calls);
    return calls <= callsPerPeriod;
  }
}

/** Returns the seconds to the next period, at least one. */
export function secondsToNext(periodMs: number, nowMs: number): number {
  return Math.ceil((periodMs - (nowMs % periodMs)) / 1_000);
}
