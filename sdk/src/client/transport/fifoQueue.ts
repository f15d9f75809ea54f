import { throwIfAborted } from "../../core/abort.ts";
import { createDeferred } from "../../core/deferred.ts";

/** Callers that wait for their turn, first come first served. */
export interface FifoQueue {
  readonly length: number;
  /**
   * Waits until {@link FifoQueue.admit} reaches this caller. Who was admitted stays so, whatever the signal does then.
   *
   * @throws {@link AbortedError} when the signal fires first; the caller has then left the line
   */
  join(signal: AbortSignal, what: string): Promise<void>;
  /** Admits the caller who waits longest; false where nobody waits. */
  admit(): boolean;
}

/** An empty line. */
export function createFifoQueue(): FifoQueue {
  const waiting: (() => void)[] = [];
  return {
    get length() {
      return waiting.length;
    },
    async join(signal, what) {
      throwIfAborted(signal, what);
      const { promise, resolve } = createDeferred<"admitted" | "aborted">();
      const abort = (): void => {
        waiting.splice(waiting.indexOf(enter), 1);
        signal.removeEventListener("abort", abort);
        resolve("aborted");
      };
      const enter = (): void => {
        signal.removeEventListener("abort", abort);
        resolve("admitted");
      };
      waiting.push(enter);
      signal.addEventListener("abort", abort);
      if ((await promise) === "aborted") throwIfAborted(signal, what);
    },
    admit() {
      const enter = waiting.shift();
      enter?.();
      return enter !== undefined;
    },
  };
}
