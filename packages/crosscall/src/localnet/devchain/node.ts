import type { Transport } from "viem";

import { AbortedError, sleep } from "@crosscall/protocol/core";
import type { ChainChanges } from "./chainChanges.ts";
import type { ChainSnapshot } from "./chainRecord.ts";

export interface ChainNode {
  /** Delayed by the latency. */
  readonly rpcUrl: string;
  readonly latency: Latency;
  readonly changes: ChainChanges;
  /** In-process nodes are called without HTTP. */
  readonly transport: Transport;
  /** Not delayed by the latency. */
  request(method: string, params?: readonly unknown[]): Promise<unknown>;
  /**
   * Runs work while nothing changes the chain. Absent from nodes that others run, since nothing recreates their chain.
   *
   * @param work receives what recreates the chain
   */
  readonly hold?: <Result>(work: (snapshot: ChainSnapshot) => Promise<Result>) => Promise<Result>;
  /** Replaces the last blocks with as many empty ones, with other hashes. */
  reorg(blocks: number): Promise<void>;
  close(): Promise<void>;
}

/** Can be changed while calls wait. */
export class Latency {
  delayMs = 0;
  readonly #end = new AbortController();

  async wait(): Promise<void> {
    if (this.delayMs > 0) await sleep(this.delayMs, this.#end.signal, "the call of a node");
  }

  /** Calls that wait fail. */
  end(): void {
    this.#end.abort(new AbortedError({ what: "the call of a node" }));
  }
}
