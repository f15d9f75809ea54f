import { hexToBigInt, toHex } from "viem";

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
  encodeAddress(address, field) {
    if (!/^(0|[1-9]\d{0,38})$/u.test(address) || BigInt(address) >= INDEX_LIMIT) {
      return rejectText(address, { field, what: WHAT });
    }
    return toHex(BigInt(address), { size: 16 });
  },
  decodeAddress: (bytes) => hexToBigInt(readHex(bytes, 16, { field: "address", what: "16 bytes" })).toString(),
  encodeTransactionId: (id, field) => readHex(`0x${id}`, undefined, { field, what: "hex without 0x" }),
  decodeTransactionId: (bytes) => bytes.slice(2),
};

/**
 * Returns the currency of an asset in a market: native currency for the perpetuals market's dollar, the asset's index
 * otherwise.
 * @param route route type of the market: 0 for perpetuals, 1 for spot
 */
export function lighterCurrency(asset: bigint | number, route: bigint | number): string {
  const isNative = BigInt(asset) === DOLLAR && BigInt(route) === PERPETUALS;
  return isNative ? LIGHTER_CODEC.nativeCurrency : asset.toString();
}
