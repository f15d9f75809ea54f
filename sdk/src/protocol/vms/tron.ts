import { createBase58check } from "@scure/base";
import { hexToBytes } from "viem";

import { readBy, readHex, refuseText } from "./readText.ts";
import { sha256Bytes } from "./sha256Bytes.ts";
import type { VmCodec } from "./vmCodec.ts";

const WHAT = "a base58 address that starts with T";

/** The byte before the 20 bytes of every address. */
const PREFIX = "0x41";

const coder = createBase58check(sha256Bytes);

/** Tron: base58check addresses of 0x41 and 20 bytes; transaction hashes without 0x. */
export const TRON_CODEC: VmCodec = {
  vmType: "tron-vm",
  nativeCurrency: "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb",
  encodeAddress(address, field) {
    const bytes = readBy((text) => coder.decode(text), address, 21, { field, what: WHAT });
    return bytes.startsWith(PREFIX) ? bytes : refuseText(address, { field, what: WHAT });
  },
  decodeAddress: (bytes) => coder.encode(hexToBytes(readHex(bytes, 21, { field: "address", what: "21 bytes" }))),
  encodeTransactionId: (id, field) =>
    readHex(`0x${id}`, 32, { field, what: "a transaction hash of 32 bytes, without 0x" }),
  decodeTransactionId: (bytes) => bytes.slice(2),
};
