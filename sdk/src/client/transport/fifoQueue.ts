import { throwIfAborted } from "../../core/abort.ts";
import { createDeferred } from "../../core/deferred.ts";

export interface FifoQueue {
  readonly length: number;
  /** Waits until {@link FifoQueue.admit} reaches this caller, after which the signal has no effect. */
  join(signal: AbortSignal, what: string): Promise<void>;
  /** Admits the first in line; false if none waits. */
  admit(): boolean;
}

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
