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
 * @throws {@link AbortedError} when the signal fires
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
