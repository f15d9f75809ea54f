const MINUTE_MS = 60_000;

/** Counts HTTP requests per minute in memory, separately in each process. */
export class MinuteLimit {
  #minute = 0;
  readonly #calls = new Map<string, number>();

  /** @returns false if the request exceeds the limit */
  take(who: string, callsPerMinute: number, nowMs: number): boolean {
    const minute = Math.floor(nowMs / MINUTE_MS);
    // Drops the counts of earlier minutes to limit memory use.
    if (minute !== this.#minute) this.#calls.clear();
    this.#minute = minute;
    const calls = (this.#calls.get(who) ?? 0) + 1;
    this.#calls.set(who, calls);
    return calls <= callsPerMinute;
  }
}

/** Returns the seconds to the next minute, at least one. */
export function secondsToNextMinute(nowMs: number): number {
  return Math.ceil((MINUTE_MS - (nowMs % MINUTE_MS)) / 1_000);
}
