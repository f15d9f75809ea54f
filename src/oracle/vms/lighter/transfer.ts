import { type Hex, toHex, zeroHash } from "viem";

import { LIGHTER_CODEC } from "@crosscall/sdk/internal/protocol/vms/lighter";
import type { LighterTransfer } from "./lighterReader.ts";

const ETHER = 1;
const DOLLAR = 3;

const PERPETUALS = 0;
const SPOT = 1;

/** The currency that a transfer deposits: the dollar of perpetuals is the native one, all else goes by its index. */
export function depositedCurrency({ asset, route }: LighterTransfer): string {
  return asset === DOLLAR && route === PERPETUALS ? LIGHTER_CODEC.nativeCurrency : asset.toString();
}

/** The currency that a transfer pays an order in; undefined for those that orders do not name. */
export function paidCurrency(transfer: LighterTransfer): string | undefined {
  const { asset, route } = transfer;
  const isKnown = (asset === DOLLAR && (route === PERPETUALS || route === SPOT)) || (asset === ETHER && route === SPOT);
  return isKnown ? depositedCurrency(transfer) : undefined;
}

/** What a memo says as hex. */
export function memoHex(memo: readonly number[]): Hex {
  return toHex(Uint8Array.from(memo));
}

/**
 * The id that a memo names: 32 bytes. Shorter ones are padded with zeros by wallets, and an address ends with twelve of
 * them: those are no ids.
 */
export function memoId(memo: readonly number[]): Hex {
  const isId = memo.length === 32 && memo.slice(20).some((byte) => byte !== 0);
  return isId ? memoHex(memo) : zeroHash;
}
