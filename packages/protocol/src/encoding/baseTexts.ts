import { bytesToHex, concatBytes, hexToBytes, sha256, toHex } from "viem";
import { padBits, unpadBits } from "./regroupBits.ts";

export const BASE58_ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

const CHECKSUM_BYTES = 4;

/** Encodes each zero byte at the start as the first character of the alphabet. */
export function encodeBase58(bytes: Uint8Array, alphabet = BASE58_ALPHABET): string {
  const zeros = countLeading(bytes, 0);
  let text = "";
  for (let value = zeros < bytes.length ? BigInt(bytesToHex(bytes)) : 0n; value > 0n; value /= 58n) {
    text = alphabet.charAt(Number(value % 58n)) + text;
  }
  return alphabet.charAt(0).repeat(zeros) + text;
}

/** Returns undefined if the text is not base58. */
export function decodeBase58(text: unknown, alphabet = BASE58_ALPHABET): Uint8Array | undefined {
  if (typeof text !== "string") return undefined;
  const digits = Array.from(text, (character) => alphabet.indexOf(character));
  if (digits.includes(-1)) return undefined;
  const value = digits.reduce((sum, digit) => sum * 58n + BigInt(digit), 0n);
  const zeros = new Uint8Array(countLeading(digits, 0));
  return value === 0n ? zeros : concatBytes([zeros, hexToBytes(toHex(value))]);
}

/** Encodes bytes and their checksum as base58. */
export function encodeBase58Check(payload: Uint8Array, alphabet?: string): string {
  return encodeBase58(concatBytes([payload, checksumOf(payload)]), alphabet);
}

/** Returns the bytes without their checksum, or undefined if the text is not base58 or the checksum is wrong. */
export function decodeBase58Check(text: unknown, alphabet?: string): Uint8Array | undefined {
  const bytes = decodeBase58(text, alphabet);
  if (bytes === undefined || bytes.length < CHECKSUM_BYTES) return undefined;
  const payload = bytes.slice(0, -CHECKSUM_BYTES);
  return toHex(checksumOf(payload)) === toHex(bytes.slice(-CHECKSUM_BYTES)) ? payload : undefined;
}

function checksumOf(payload: Uint8Array): Uint8Array {
  return sha256(sha256(payload, "bytes"), "bytes").slice(0, CHECKSUM_BYTES);
}

function countLeading(values: ArrayLike<number>, value: number): number {
  let count = 0;
  while (count < values.length && values[count] === value) count += 1;
  return count;
}

const BASE64_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export function encodeBase64(bytes: Uint8Array): string {
  const text = padBits(bytes, 8, 6).map((digit) => BASE64_ALPHABET.charAt(digit));
  return text.join("").padEnd(Math.ceil(bytes.length / 3) * 4, "=");
}

/** Parses base64 with padding; returns undefined for other text. */
export function decodeBase64(text: unknown): Uint8Array | undefined {
  if (typeof text !== "string" || text.length % 4 !== 0) return undefined;
  const digits = Array.from(text.replace(/={1,2}$/u, ""), (character) => BASE64_ALPHABET.indexOf(character));
  return digits.includes(-1) ? undefined : unpadBits(digits, 6);
}
