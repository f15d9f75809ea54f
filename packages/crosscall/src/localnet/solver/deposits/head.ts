import type { Hex } from "viem";

/** The latest block of a chain. */
export interface Head {
  readonly number: bigint;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix seconds. */
  readonly timestamp: bigint;
}
