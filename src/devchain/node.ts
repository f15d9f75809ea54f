import type { Transport } from "viem";

import { sleep } from "@crosscall/sdk/internal/core/abort";
import { AbortedError } from "@crosscall/sdk/internal/core/errors";

/** An EVM node of the network, in this process or elsewhere. */
export interface ChainNode {
  /** Where clients reach it, behind its latency. */
  readonly rpcUrl: string;
  readonly latency: Latency;
  /** What a client of the URL gets, without HTTP where the node is in this process. */
  readonly transport: Transport;
  /** Calls the node itself, without the latency. */
  request(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Replaces the last blocks by as many empty ones: their transactions are gone, and the heights have other hashes. */
  reorg(blocks: number): Promise<void>;
  close(): Promise<void>;
}

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
