import type { Hex, PublicClient } from "viem";

import type { BlockEnvironment } from "./blockEnvironment.ts";

/** The block after which a fork begins. */
export interface ForkBlock {
  readonly number: bigint;
  readonly hash: Hex;
  /** Unix seconds. */
  readonly timestamp: bigint;
  /** Wei. */
  readonly baseFeePerGas: bigint;
  readonly gasLimit: bigint;
}

/** A copy of a chain, of which everything may be changed: nothing of it reaches the chain. */
export interface Fork {
  readonly chainId: number;
  readonly block: ForkBlock;
  /** The block that fills run in. */
  readonly environment: BlockEnvironment;
  /** Reads the fork as it is now. */
  readonly client: PublicClient;
  /** Any call of the node's JSON-RPC, the ones of Hardhat's node to change state among them. */
  request(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Makes the next block of the fork like the one that fills run in. */
  prepareBlock(): Promise<void>;
  /** How many calls went to the chain that is forked, so far. */
  readonly remoteCalls: number;
  /** Runs something and takes back whatever it did to the fork. */
  isolate<Result>(run: () => Promise<Result>): Promise<Result>;
  /** Ends the fork; what was read of the chain stays on disk. */
  close(): Promise<void>;
}
