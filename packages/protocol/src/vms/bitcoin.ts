import { type Hex, bytesToHex, concat, hexToBytes, hexToNumber, slice, toHex } from "viem";

import { decodeBase58Check, encodeBase58Check } from "../encoding/baseTexts.ts";
import { readBy, readHex, rejectText } from "./readText.ts";
import { decodeSegwit, encodeSegwit } from "../encoding/segwit.ts";
import type { VmCodec } from "./vmCodec.ts";

const WHAT = "a mainnet address";

/** Prefix of an address that is the hash of a key or script; its base58 payload follows. */
const LEGACY_PREFIX = "0xff";

/**
 * Bitcoin: encodes a legacy address as 0xff and its base58 payload (version and 20 bytes), and a segwit address as its
 * witness version and program. Transaction hashes have no 0x.
 */
export const BITCOIN_CODEC: VmCodec = {
  vmType: "bitcoin-vm",
  nativeCurrency: "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8",
  encodeAddress: encodeBitcoinAddress,
  decodeAddress(bytes) {
    readHex(bytes, undefined, { field: "address", what: "an encoded address" });
    if (bytes.startsWith(LEGACY_PREFIX)) return encodeBase58Check(hexToBytes(slice(bytes, 1)));
    const segwit = { version: hexToNumber(slice(bytes, 0, 1)), program: hexToBytes(slice(bytes, 1)) };
    return encodeSegwit(segwit) ?? rejectText(bytes, { field: "address", what: "an encoded address" });
  },
  encodeTransactionId: (id, field) =>
    readHex(`0x${id}`, 32, { field, what: "a transaction hash of 32 bytes, without 0x" }),
  decodeTransactionId: (bytes) => bytes.slice(2),
};

export function encodeBitcoinAddress(address: string, field: string): Hex {
  if (address.toLowerCase().startsWith("bc1")) return encodeProgram(address, field);
  return concat([LEGACY_PREFIX, readBy(decodeBase58Check, address, 21, { field, what: WHAT })]);
}

function encodeProgram(address: string, field: string): Hex {
  const decoded = decodeSegwit(address);
  if (decoded === undefined) return rejectText(address, { field, what: WHAT });
  return concat([toHex(decoded.version, { size: 1 }), bytesToHex(decoded.program)]);
}
