import { type Hex, toHex, zeroHash } from "viem";

import { LIGHTER_CODEC } from "@crosscall/sdk/internal/protocol/vms/lighter";
import type { LighterTransfer } from "./lighterReader.ts";

const ETHER = 1;
const DOLLAR = 3;

const PERPETUALS = 0;
const SPOT = 1;

/** The perpetuals' dollar is native currency; all others are named by index. */
export function depositedCurrency({ asset, route }: LighterTransfer): string {
  return asset === DOLLAR && route === PERPETUALS ? LIGHTER_CODEC.nativeCurrency : asset.toString();
}

/** Undefined for currencies that orders cannot name. */
export function paidCurrency(transfer: LighterTransfer): string | undefined {
  const { asset, route } = transfer;
  const isKnown = (asset === DOLLAR && (route === PERPETUALS || route === SPOT)) || (asset === ETHER && route === SPOT);
  return isKnown ? depositedCurrency(transfer) : undefined;
}

export function memoHex(memo: readonly number[]): Hex {
  return toHex(Uint8Array.from(memo));
}

/** Exactly 32 bytes. Wallets pad shorter values with zeros, and an address ends in twelve: those are not ids. */
export function memoId(memo: readonly number[]): Hex {
  const isId = memo.length === 32 && memo.slice(20).some((byte) => byte !== 0);
  return isId ? memoHex(memo) : zeroHash;
}
