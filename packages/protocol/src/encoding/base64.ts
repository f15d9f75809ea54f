import { padBits, unpadBits } from "./regroupBits.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export function encodeBase64(bytes: Uint8Array): string {
  const text = padBits(bytes, 8, 6).map((digit) => ALPHABET.charAt(digit));
  return text.join("").padEnd(Math.ceil(bytes.length / 3) * 4, "=");
}

/** Requires padding; returns undefined for invalid base64. */
export function decodeBase64(text: unknown): Uint8Array | undefined {
  if (typeof text !== "string" || text.length % 4 !== 0) return undefined;
  const digits = Array.from(text.replace(/={1,2}$/u, ""), (character) => ALPHABET.indexOf(character));
  return digits.includes(-1) ? undefined : unpadBits(digits, 6);
}
