import type { Hex } from "viem";

import { readHex } from "./readText.ts";
import type { VmCodec } from "./vmCodec.ts";

/**
 * The first exchange family: accounts of 20 bytes, and currencies of 16 bytes followed by the market's name in ASCII,
 * except for the main market. Like the public oracle, does not check the length.
 */
export const HYPERLIQUID_CODEC: VmCodec = {
  vmType: "hyperliquid-vm",
  nativeCurrency: `0x${"0".repeat(32)}`,
  encodeAddress: encodeHyperliquidAddress,
  decodeAddress: (bytes) => bytes,
  encodeTransactionId: (id, field) => readHex(id, undefined, { field, what: "hex of whole bytes" }),
  decodeTransactionId: (bytes) => bytes,
};

export function encodeHyperliquidAddress(address: string, field: string): Hex {
  return readHex(address, undefined, { field, what: "hex of whole bytes" });
}
