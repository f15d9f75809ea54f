import { type Hex, hexToBytes } from "viem";

import { decodeBase58Check, encodeBase58Check } from "../encoding/baseTexts.ts";
import { readBy, readHex, rejectText } from "./readText.ts";
import type { VmCodec } from "./vmCodec.ts";

const WHAT = "a base58 address that starts with T";

/** First byte of every address, before its 20 bytes. */
const PREFIX = "0x41";

/** Tron: base58check addresses of 0x41 and 20 bytes, and transaction hashes without 0x. */
export const TRON_CODEC: VmCodec = {
  vmType: "tron-vm",
  nativeCurrency: "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb",
  encodeAddress: encodeTronAddress,
  decodeAddress: (bytes) => encodeBase58Check(hexToBytes(readHex(bytes, 21, { field: "address", what: "21 bytes" }))),
  encodeTransactionId: (id, field) =>
    readHex(`0x${id}`, 32, { field, what: "a transaction hash of 32 bytes, without 0x" }),
  decodeTransactionId: (bytes) => bytes.slice(2),
};

export function encodeTronAddress(address: string, field: string): Hex {
  const bytes = readBy(decodeBase58Check, address, 21, { field, what: WHAT });
  return bytes.startsWith(PREFIX) ? bytes : rejectText(address, { field, what: WHAT });
}
