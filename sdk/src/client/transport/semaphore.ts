import { createFifoQueue } from "./fifoQueue.ts";

/** Lets a number of calls run at a time. */
export interface Semaphore {
  /**
   * Waits for a free slot, first come first served.
   *
   * @returns gives the slot back; to be called once
   * @throws {@link AbortedError} when the signal fires first
   */
  enter(signal: AbortSignal, what: string): Promise<() => void>;
}

/** A semaphore with `count` free slots. */
export function createSemaphore(count: number): Semaphore {
  const line = createFifoQueue();
  let free = count;
  const leave = (): void => {
    // The slot goes straight to the next in line: nobody who comes in between can take it.
    if (!line.admit()) free += 1;
  };
  return {
    async enter(signal, what) {
      if (free > 0) free -= 1;
      else await line.join(signal, what);
      return leave;
    },
  };
}
