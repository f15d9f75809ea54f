import { AbortedError, CrosscallError } from "./errors.ts";
import { systemTimer, type Timer } from "./timer.ts";

/**
 * Throws if the signal is aborted: the abort reason if it is a crosscall error, else {@link AbortedError}.
 * @param what name of the operation, for the error
 */
export function throwIfAborted(signal: AbortSignal | undefined, what: string): void {
  if (signal?.aborted !== true) return;
  if (signal.reason instanceof CrosscallError) throw signal.reason;
  throw new AbortedError({ what, cause: signal.reason });
}

/**
 * Waits until the time is over, and throws if the signal aborts.
 * @param durationMs duration in milliseconds
 * @param what name of the awaited event, for the error
 */
export function sleep(durationMs: number, signal: AbortSignal | undefined, what: string): Promise<void> {
  return waitOn(systemTimer, durationMs, signal, what);
}

/** @param what name of the awaited event, for the error */
export async function waitOn(
  timer: Timer,
  durationMs: number,
  signal: AbortSignal | undefined,
  what: string,
): Promise<void> {
  throwIfAborted(signal, what);
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      cancel();
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    const cancel = timer.schedule(durationMs, finish);
    signal?.addEventListener("abort", finish);
  });
  throwIfAborted(signal, what);
}

/**
 * Waits until the time is over or the signal aborts.
 *
 * @param durationMs duration in milliseconds
 * @returns false if the signal aborted
 */
export async function pause(durationMs: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(durationMs, signal, "a pause");
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the result of work, or throws when the signal aborts first. The work itself continues in the background.
 *
 * @param what name of the work, for the error
 */
export async function abortable<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
  what: string,
): Promise<Result> {
  if (signal === undefined) return work;
  const { promise: aborted, reject } = createDeferred<never>();
  const abort = (): void => {
    try {
      throwIfAborted(signal, what);
    } catch (error) {
      reject(error);
    }
  };
  signal.addEventListener("abort", abort);
  abort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

export interface Deferred<Result> {
  readonly promise: Promise<Result>;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/** Replaces `Promise.withResolvers`, which Node.js 20 lacks. */
export function createDeferred<Result>(): Deferred<Result> {
  let resolve: (result: Result) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<Result>((...functions) => ([resolve, reject] = functions));
  return { promise, resolve, reject };
}
