import type { Address } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import type { Pool } from "../../devchain/pools.ts";

/** Additional pools cost more gas than a better price gains. */
const MAX_HOPS = 3;

export interface SwapPath {
  /** One more than pools, starting with the input. */
  readonly tokens: readonly Address[];
  /** Per pool, in millionths. */
  readonly fees: readonly number[];
}

/** Paths without repeated tokens, shortest first. */
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
