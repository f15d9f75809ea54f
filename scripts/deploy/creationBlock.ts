import { type Address, BaseError } from "viem";

import type { Target } from "../options/target.ts";

/**
 * Bisects the block that created a contract.
 *
 * @param known result of an earlier run, tried first
 * @returns `known` if the node has no old state
 */
export async function findCreationBlock(
  { client }: Target,
  address: Address,
  known: number | null,
): Promise<number | null> {
  const standsAt = async (block: bigint): Promise<boolean> =>
    (await client.getCode({ address, blockNumber: block })) !== undefined;
  try {
    if (known !== null && (await isCreation(standsAt, BigInt(known)))) return known;
    let after = -1n;
    let at = await client.getBlockNumber();
    // Most contracts are new: doubling steps find them without old state.
    for (let step = 1n; at - step > after; step *= 2n) {
      if (await standsAt(at - step)) {
        at -= step;
      } else {
        after = at - step;
        break;
      }
    }
    while (at - after > 1n) {
      const middle = (at + after) / 2n;
      if (await standsAt(middle)) at = middle;
      else after = middle;
    }
    return Number(at);
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    return known;
  }
}

async function isCreation(standsAt: (block: bigint) => Promise<boolean>, block: bigint): Promise<boolean> {
  return (await standsAt(block)) && (block === 0n || !(await standsAt(block - 1n)));
}
