import { createFifoQueue } from "./fifoQueue.ts";

export interface Semaphore {
  /**
   * First come, first served.
   *
   * @returns releases the slot; call it once
   * @throws {@link AbortedError} when the signal fires first
   */
  enter(signal: AbortSignal, what: string): Promise<() => void>;
}

export function createSemaphore(count: number): Semaphore {
  const line = createFifoQueue();
  let free = count;
  const leave = (): void => {
    // The slot goes to the next in line, so no later caller can take it.
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
