import { type Hex, toHex, zeroHash } from "viem";

import { lighterCurrency } from "@crosscall/protocol/vms";
import type { LighterTransfer } from "./lighterReader.ts";

const ETHER = 1;
const DOLLAR = 3;

const PERPETUALS = 0;
const SPOT = 1;

/** Undefined for currencies that orders cannot name. */
export function paidCurrency({ asset, route }: Pick<LighterTransfer, "asset" | "route">): string | undefined {
  const isKnown = (asset === DOLLAR && (route === PERPETUALS || route === SPOT)) || (asset === ETHER && route === SPOT);
  return isKnown ? lighterCurrency(asset, route) : undefined;
}

export function memoHex(memo: readonly number[]): Hex {
  return toHex(Uint8Array.from(memo));
}

/** Exactly 32 bytes. Wallets pad shorter values with zeros, and an address ends in twelve: those are not ids. */
export function memoId(memo: readonly number[]): Hex {
  const isId = memo.length === 32 && memo.slice(20).some((byte) => byte !== 0);
  return isId ? memoHex(memo) : zeroHash;
}
