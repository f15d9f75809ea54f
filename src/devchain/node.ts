import type { Transport } from "viem";

import type { Latency } from "./latency.ts";

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
