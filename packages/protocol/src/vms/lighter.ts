import { type Hex, hexToBigInt, toHex } from "viem";

import { readHex, rejectText } from "./readText.ts";
import type { VmCodec } from "./vmCodec.ts";

const WHAT = "the decimal index of an account or asset";

/** Number of bytes of an encoded index. */
const INDEX_LIMIT = 1n << 128n;

const DOLLAR = 3n;
const PERPETUALS = 0n;

/** The second exchange family: decimal indexes as 16 big-endian bytes, and transaction hashes without 0x. */
export const LIGHTER_CODEC: VmCodec = {
  vmType: "lighter-vm",
  nativeCurrency: "0",
  encodeAddress: encodeLighterAddress,
  decodeAddress: (bytes) => hexToBigInt(readHex(bytes, 16, { field: "address", what: "16 bytes" })).toString(),
  encodeTransactionId: (id, field) => readHex(`0x${id}`, undefined, { field, what: "hex without 0x" }),
  decodeTransactionId: (bytes) => bytes.slice(2),
};

export function encodeLighterAddress(address: string, field: string): Hex {
  if (!/^(0|[1-9]\d{0,38})$/u.test(address) || BigInt(address) >= INDEX_LIMIT) {
    return rejectText(address, { field, what: WHAT });
  }
  return toHex(BigInt(address), { size: 16 });
}

/**
 * Returns the currency of an asset in a market: native currency for the perpetuals market's dollar, the asset's index
 * otherwise.
 * @param route route type of the market: 0 for perpetuals, 1 for spot
 */
export function lighterCurrency(asset: bigint | number, route: bigint | number): string {
  const isNative = BigInt(asset) === DOLLAR && BigInt(route) === PERPETUALS;
  return isNative ? LIGHTER_CODEC.nativeCurrency : asset.toString();
}

/** A transfer as the sender's EVM key signs it. */
export interface SignedLighterTransfer {
  readonly nonce: bigint;
  readonly from: bigint;
  readonly fromRoute: bigint;
  readonly apiKey: bigint;
  readonly to: bigint;
  readonly toRoute: bigint;
  readonly asset: bigint;
  readonly amount: bigint;
  readonly fee: bigint;
  /** The exchange's own chain id. */
  readonly exchange: bigint;
  readonly memo: Hex;
}

/** Returns the text that the EVM key signs (spec 5, section 2). */
export function lighterTransferText(transfer: SignedLighterTransfer): string {
  const { nonce, from, fromRoute, apiKey, to, toRoute, asset, amount, fee, exchange, memo } = transfer;
  return [
    "Transfer",
    "",
    `nonce: ${word(nonce)}`,
    `from: ${word(from)} (route ${word(fromRoute)})`,
    `api key: ${word(apiKey)}`,
    `to: ${word(to)} (route ${word(toRoute)})`,
    `asset: ${word(asset)}`,
    `amount: ${word(amount)}`,
    `fee: ${word(fee)}`,
    `chainId: ${word(exchange)}`,
    `memo: ${memo.slice(2)}`,
    "Only sign this message for a trusted client!",
  ].join("\n");
}

/** Encodes a value in 8 bytes, or in more if it exceeds every value in the exchange's transfers. */
function word(value: bigint): Hex {
  return `0x${value.toString(16).padStart(16, "0")}`;
}
