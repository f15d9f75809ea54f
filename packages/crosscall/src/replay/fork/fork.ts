import type { Hex, PublicClient } from "viem";

import type { BlockEnvironment } from "./blockEnvironment.ts";

export interface ForkBlock {
  readonly number: bigint;
  readonly hash: Hex;
  /** Unix seconds. */
  readonly timestamp: bigint;
  /** Wei. */
  readonly baseFeePerGas: bigint;
  readonly gasLimit: bigint;
}

/** Changes never reach the chain. */
export interface Fork {
  readonly chainId: number;
  readonly block: ForkBlock;
  /** The block that fills run in. */
  readonly environment: BlockEnvironment;
  /** Reads the fork's present state. */
  readonly client: PublicClient;
  /** Any JSON-RPC method, including Hardhat's methods to change state. */
  request(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Gives the next block of the fork the environment of `environment`. */
  prepareBlock(): Promise<void>;
  /** Calls to the forked chain so far. */
  readonly remoteCalls: number;
  /** Runs something and reverts its effects on the fork. */
  isolate<Result>(run: () => Promise<Result>): Promise<Result>;
  /** The on-disk cache stays. */
  close(): Promise<void>;
}
