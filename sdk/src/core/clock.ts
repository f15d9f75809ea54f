/** Source of the current time, so that tests and replays can set it. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
}

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** A clock's time in whole Unix seconds, as chains count it. */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}
