import { readHex } from "./readText.ts";
import type { VmCodec } from "./vmCodec.ts";

/**
 * The first exchange family: accounts of 20 bytes, currencies of 16, followed by the market's name in ASCII unless it
 * is the main one. The length is not checked, as in the public oracle.
 */
export const HYPERLIQUID_CODEC: VmCodec = {
  vmType: "hyperliquid-vm",
  nativeCurrency: `0x${"0".repeat(32)}`,
  encodeAddress: (address, field) => readHex(address, undefined, { field, what: "hex of whole bytes" }),
  decodeAddress: (bytes) => bytes,
  encodeTransactionId: (id, field) => readHex(id, undefined, { field, what: "hex of whole bytes" }),
  decodeTransactionId: (bytes) => bytes,
};
