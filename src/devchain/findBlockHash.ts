import { BlockNotFoundError, type Hex } from "viem";

import type { DevChain } from "./devChain.ts";

/** The hash of a block; undefined where the chain has none of that number, or no more. */
export async function findBlockHash(
  { client }: Pick<DevChain, "client">,
  blockNumber: bigint,
): Promise<Hex | undefined> {
  try {
    return (await client.getBlock({ blockNumber })).hash;
  } catch (error) {
    if (error instanceof BlockNotFoundError) return undefined;
    throw error;
  }
}
