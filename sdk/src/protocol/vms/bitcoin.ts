import { bech32, bech32m, createBase58check } from "@scure/base";
import { type Hex, bytesToHex, concat, hexToBytes, hexToNumber, slice, toHex } from "viem";

import { readBy, readHex, refuseText } from "./readText.ts";
import { sha256Bytes } from "./sha256Bytes.ts";
import type { VmCodec } from "./vmCodec.ts";

const WHAT = "a mainnet address";

/** Marks an address that is a hash of a key or script, whose base58 payload follows. */
const LEGACY_PREFIX = "0xff";

const SEGWIT_PREFIX = "bc";

const coder = createBase58check(sha256Bytes);

/**
 * Bitcoin: a legacy address is 0xff and its base58 payload (version and 20 bytes), a segwit address its witness version
 * and program; transaction hashes without 0x.
 */
export const BITCOIN_CODEC: VmCodec = {
  vmType: "bitcoin-vm",
  nativeCurrency: "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8",
  encodeAddress(address, field) {
    if (address.toLowerCase().startsWith(`${SEGWIT_PREFIX}1`)) return encodeSegwit(address, field);
    return concat([LEGACY_PREFIX, readBy((text) => coder.decode(text), address, 21, { field, what: WHAT })]);
  },
  decodeAddress(bytes) {
    readHex(bytes, undefined, { field: "address", what: "an encoded address" });
    if (bytes.startsWith(LEGACY_PREFIX)) return coder.encode(hexToBytes(slice(bytes, 1)));
    const version = hexToNumber(slice(bytes, 0, 1));
    const words = bech32.toWords(hexToBytes(slice(bytes, 1)));
    return (version === 0 ? bech32 : bech32m).encode(SEGWIT_PREFIX, [version, ...words]);
  },
  encodeTransactionId: (id, field) =>
    readHex(`0x${id}`, 32, { field, what: "a transaction hash of 32 bytes, without 0x" }),
  decodeTransactionId: (bytes) => bytes.slice(2),
};

function encodeSegwit(address: string, field: string): Hex {
  // Version 0 has one checksum and all later ones another (BIP-350).
  for (const { variant, isVariantOf } of [
    { variant: bech32, isVariantOf: (version: number) => version === 0 },
    { variant: bech32m, isVariantOf: (version: number) => version > 0 && version <= 16 },
  ]) {
    const decoded = variant.decodeUnsafe(address);
    const [version, ...words] = decoded?.words ?? [];
    if (decoded?.prefix !== SEGWIT_PREFIX || version === undefined || !isVariantOf(version)) continue;
    const program = variant.fromWordsUnsafe(words);
    if (program instanceof Uint8Array) return concat([toHex(version, { size: 1 }), bytesToHex(program)]);
  }
  return refuseText(address, { field, what: WHAT });
}
