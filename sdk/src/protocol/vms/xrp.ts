import { base58xrp } from "@scure/base";
import { type Hex, concatBytes, hexToBytes, toHex } from "viem";

import { readHex, refuseText } from "./readText.ts";
import { sha256Bytes } from "./sha256Bytes.ts";
import type { VmCodec } from "./vmCodec.ts";

const WHAT = "a classic address that starts with r";
const ACCOUNT_BYTES = 20;
const CHECKSUM_BYTES = 4;

/** XRP: the 20 bytes of an account, in text with a version byte of zero and a checksum; upper-case hashes without 0x. */
export const XRP_CODEC: VmCodec = {
  vmType: "xrp-vm",
  nativeCurrency: "rrrrrrrrrrrrrrrrrrrrrhoLvTp",
  encodeAddress(address, field) {
    const account = decodeClassic(address);
    return account ?? refuseText(address, { field, what: WHAT });
  },
  decodeAddress(bytes) {
    const account = readHex(bytes, ACCOUNT_BYTES, { field: "address", what: `${ACCOUNT_BYTES} bytes` });
    return base58xrp.encode(withChecksum(concatBytes([Uint8Array.of(0), hexToBytes(account)])));
  },
  encodeTransactionId: (id, field) =>
    readHex(`0x${id}`, 32, { field, what: "a transaction hash of 32 bytes, without 0x" }),
  decodeTransactionId: (bytes) => bytes.slice(2).toUpperCase(),
};

function decodeClassic(address: string): Hex | undefined {
  let bytes: Uint8Array;
  try {
    bytes = base58xrp.decode(address);
  } catch {
    return undefined;
  }
  if (bytes.length !== 1 + ACCOUNT_BYTES + CHECKSUM_BYTES || bytes[0] !== 0) return undefined;
  const payload = bytes.subarray(0, -CHECKSUM_BYTES);
  const isWhole = toHex(withChecksum(payload)) === toHex(bytes);
  return isWhole ? toHex(payload.subarray(1)) : undefined;
}

function withChecksum(payload: Uint8Array): Uint8Array {
  return concatBytes([payload, sha256Bytes(sha256Bytes(payload)).subarray(0, CHECKSUM_BYTES)]);
}
