export type Waited = "rung" | "elapsed" | "aborted";

/** Alarm that ends a wait early. A ring while nothing waits ends the next wait immediately, so no ring is lost. */
export class Alarm {
  #isRung = false;
  #finish: (() => void) | undefined;

  ring(): void {
    this.#isRung = true;
    this.#finish?.();
  }

  /** Supports one wait at a time. */
  async wait(durationMs: number, signal: AbortSignal): Promise<Waited> {
    if (!this.#isRung && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const finish = (): void => {
          clearTimeout(timer);
          signal.removeEventListener("abort", finish);
          this.#finish = undefined;
          resolve();
        };
        const timer = setTimeout(finish, durationMs);
        signal.addEventListener("abort", finish);
        this.#finish = finish;
      });
    }
    if (signal.aborted) return "aborted";
    const waited = this.#isRung ? "rung" : "elapsed";
    this.#isRung = false;
    return waited;
  }
}
