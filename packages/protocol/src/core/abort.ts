import { AbortedError, CrosscallError } from "./errors.ts";

/**
 * Throws when the signal has fired: the kit's own error where the caller aborted with one, else {@link AbortedError}.
 *
 * @param what names what is being stopped
 */
export function throwIfAborted(signal: AbortSignal | undefined, what: string): void {
  if (signal?.aborted !== true) return;
  if (signal.reason instanceof CrosscallError) throw signal.reason;
  throw new AbortedError({ what, cause: signal.reason });
}

/**
 * Waits, and stops waiting at once when the signal fires.
 *
 * @param durationMs how long, in milliseconds
 * @param what names what is being waited for, for the error
 */
export async function sleep(durationMs: number, signal: AbortSignal | undefined, what: string): Promise<void> {
  throwIfAborted(signal, what);
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, durationMs);
    signal?.addEventListener("abort", finish);
  });
  throwIfAborted(signal, what);
}

/**
 * Waits, and stops waiting at once when the signal fires.
 *
 * @param durationMs how long, in milliseconds
 * @returns false once the signal has fired
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
 * The result of work, unless the signal fires first: the work then goes on unheeded.
 *
 * @param what names the work, for the error
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

/** `Promise.withResolvers`, which Node.js 20 lacks. */
export function createDeferred<Result>(): Deferred<Result> {
  let resolve: (result: Result) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<Result>((...functions) => ([resolve, reject] = functions));
  return { promise, resolve, reject };
}
