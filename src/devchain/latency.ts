import { sleep } from "@crosscall/sdk/internal/core/abort";
import { AbortedError } from "@crosscall/sdk/internal/core/errors";

/** A delay before each call of a node; it can be changed while calls wait. */
export class Latency {
  /** In milliseconds. */
  delayMs = 0;
  readonly #end = new AbortController();

  /** Waits as long as the delay is now. */
  async wait(): Promise<void> {
    if (this.delayMs > 0) await sleep(this.delayMs, this.#end.signal, "the call of a node");
  }

  /** Ends every wait under way: their calls fail. */
  end(): void {
    this.#end.abort(new AbortedError({ what: "the call of a node" }));
  }
}
