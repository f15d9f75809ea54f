import { type Hex, concatBytes, hexToBytes, toHex } from "viem";

import { decodeBase58Check, encodeBase58Check } from "../encoding/baseTexts.ts";
import { readHex, rejectText } from "./readText.ts";
import type { VmCodec } from "./vmCodec.ts";

const WHAT = "a classic address that starts with r";
const ACCOUNT_BYTES = 20;

const ALPHABET = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz";

/**
 * XRP: the 20 bytes of an account, written with a zero version byte and a checksum, and upper-case hashes without 0x.
 */
export const XRP_CODEC: VmCodec = {
  vmType: "xrp-vm",
  nativeCurrency: "rrrrrrrrrrrrrrrrrrrrrhoLvTp",
  encodeAddress: encodeXrpAddress,
  decodeAddress(bytes) {
    const account = readHex(bytes, ACCOUNT_BYTES, { field: "address", what: `${ACCOUNT_BYTES} bytes` });
    return encodeBase58Check(concatBytes([Uint8Array.of(0), hexToBytes(account)]), ALPHABET);
  },
  encodeTransactionId: (id, field) =>
    readHex(`0x${id}`, 32, { field, what: "a transaction hash of 32 bytes, without 0x" }),
  decodeTransactionId: (bytes) => bytes.slice(2).toUpperCase(),
};

export function encodeXrpAddress(address: string, field: string): Hex {
  const payload = decodeBase58Check(address, ALPHABET);
  const isClassic = payload?.length === 1 + ACCOUNT_BYTES && payload[0] === 0;
  return isClassic ? toHex(payload.subarray(1)) : rejectText(address, { field, what: WHAT });
}
