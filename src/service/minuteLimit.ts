const MINUTE_MS = 60_000;

/** Counts calls by whole minutes of the clock. Kept in the process: each process of a service counts its own. */
export class MinuteLimit {
  #minute = 0;
  readonly #calls = new Map<string, number>();

  /** Notes a call of somebody; false where it is one too many for this minute. */
  take(who: string, callsPerMinute: number, nowMs: number): boolean {
    const minute = Math.floor(nowMs / MINUTE_MS);
    // Counts of another minute are of no use, so that what is kept is bounded by the calls of one.
    if (minute !== this.#minute) this.#calls.clear();
    this.#minute = minute;
    const calls = (this.#calls.get(who) ?? 0) + 1;
    this.#calls.set(who, calls);
    return calls <= callsPerMinute;
  }
}

/** Whole seconds until calls are counted anew, at least one. */
export function secondsToNextMinute(nowMs: number): number {
  return Math.ceil((MINUTE_MS - (nowMs % MINUTE_MS)) / 1_000);
}
