import type { Address } from "viem";

import { isSameAddress } from "@crosscall/sdk/internal/chains/address";
import type { Pool } from "../../devchain/pools.ts";

/** Pools that a swap may go through: more cost more gas than a better price brings. */
const MAX_HOPS = 3;

/** A way through pools. */
export interface SwapPath {
  /** One more than there are pools, the input first. */
  readonly tokens: readonly Address[];
  /** Of each pool, in millionths. */
  readonly fees: readonly number[];
}

/** All ways from one token to another that visit no token twice, the shortest first. */
export function findPaths(pools: readonly Pool[], input: Address, output: Address): SwapPath[] {
  const found: SwapPath[] = [];
  let open: SwapPath[] = [{ tokens: [input], fees: [] }];
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    const longer = open.flatMap((path) => extend(pools, path));
    found.push(...longer.filter((path) => endsAt(path, output)));
    open = longer.filter((path) => !endsAt(path, output));
  }
  return found;
}

function extend(pools: readonly Pool[], { tokens, fees }: SwapPath): SwapPath[] {
  const last = tokens.at(-1) ?? "";
  return pools.flatMap(({ tokens: [first, second], fee }) => {
    const next = isSameAddress(first, last) ? second : isSameAddress(second, last) ? first : undefined;
    if (next === undefined || tokens.some((token) => isSameAddress(token, next))) return [];
    return [{ tokens: [...tokens, next], fees: [...fees, fee] }];
  });
}

function endsAt({ tokens }: SwapPath, output: Address): boolean {
  return isSameAddress(tokens.at(-1) ?? "", output);
}
