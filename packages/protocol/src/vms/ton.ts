import { type Hex, bytesToHex } from "viem";

import { decodeBase64 } from "../encoding/baseTexts.ts";
import { readHex, rejectText } from "./readText.ts";
import type { VmCodec } from "./vmCodec.ts";

const WHAT = "an address of workchain 0";

/** Length of flags, workchain, the 32 bytes of the hash, and checksum. */
const FRIENDLY_BYTES = 36;

/** TON: the 32 bytes of the hash, only in workchain 0, in the raw (`0:…`) or friendly form. */
export const TON_CODEC: VmCodec = {
  vmType: "ton-vm",
  nativeCurrency: "EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c",
  encodeAddress: encodeTonAddress,
  decodeAddress: (bytes) => `0:${readHex(bytes, 32, { field: "address", what: "32 bytes" }).slice(2)}`,
  encodeTransactionId: (id, field) =>
    readHex(`0x${id}`, 32, { field, what: "a transaction hash of 32 bytes, without 0x" }),
  decodeTransactionId: (bytes) => bytes.slice(2),
};

export function encodeTonAddress(address: string, field: string): Hex {
  if (/^0:[0-9a-f]{64}$/iu.test(address)) return `0x${address.slice(2).toLowerCase()}`;
  return decodeFriendly(address) ?? rejectText(address, { field, what: WHAT });
}

function decodeFriendly(address: string): Hex | undefined {
  if (address.length !== 48) return undefined;
  // Base64 has a standard and a URL-safe form with different characters. An address uses only one of them.
  const text = /[+/]/u.test(address) ? address : address.replaceAll("-", "+").replaceAll("_", "/");
  const bytes = decodeBase64(text);
  if (bytes === undefined) return undefined;
  // The checksum of data that ends with its own checksum is zero.
  const isWhole = bytes.length === FRIENDLY_BYTES && crc16(bytes) === 0;
  return isWhole && bytes[1] === 0 ? bytesToHex(bytes.subarray(2, 34)) : undefined;
}

/** Computes CRC-16/XMODEM, the checksum of friendly addresses. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
    crc &= 0xffff;
  }
  return crc;
}
