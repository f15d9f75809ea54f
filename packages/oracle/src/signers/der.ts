import { bytesToBigInt, bytesToHex } from "viem";

import { MalformedDataError } from "@crosscall/protocol/core";

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const BIT_STRING = 0x03;

/** Object ids of elliptic-curve keys and secp256k1. */
const SECP256K1_ALGORITHM = "0x06072a8648ce3d020106052b8104000a";

/** Length of a point: 0x04, then two coordinates of 32 bytes. */
const POINT_BYTES = 65;

/**
 * Reads the uncompressed point of a secp256k1 key in DER (SubjectPublicKeyInfo).
 *
 * @throws {@link MalformedDataError} if the data is not such a key
 */
export function readPublicKey(der: Uint8Array): Uint8Array {
  const what = "the public key of the key service";
  const outer = readElement(der, SEQUENCE, what);
  const algorithm = readElement(outer.content, SEQUENCE, what);
  const { content } = readElement(algorithm.rest, BIT_STRING, what);
  // The first byte of a bit string is the number of unused bits.
  const point = content.subarray(1);
  if (
    bytesToHex(algorithm.content) !== SECP256K1_ALGORITHM ||
    content[0] !== 0 ||
    point.length !== POINT_BYTES ||
    point[0] !== 4
  ) {
    throw malformed(what, "it is not an uncompressed secp256k1 point");
  }
  return point;
}

/** @throws {@link MalformedDataError} if it is not a DER signature */
export function readSignature(der: Uint8Array): { r: bigint; s: bigint } {
  const what = "the signature of the key service";
  const outer = readElement(der, SEQUENCE, what);
  const r = readElement(outer.content, INTEGER, what);
  const s = readElement(r.rest, INTEGER, what);
  if (s.rest.length > 0 || outer.rest.length > 0) throw malformed(what, "it has trailing bytes");
  return { r: bytesToBigInt(r.content), s: bytesToBigInt(s.content) };
}

/** Reads a DER element of at most 255 bytes. Returns its content and the remaining bytes. */
function readElement(der: Uint8Array, tag: number, what: string): { content: Uint8Array; rest: Uint8Array } {
  const [first, second = 0, third = 0] = der;
  const isLong = second === 0x81;
  const [start, length] = isLong ? [3, third] : [2, second];
  if (first !== tag || (second > 0x7f && !isLong) || length === 0 || der.length < start + length) {
    throw malformed(what, "it is not a DER value of the expected kind");
  }
  return { content: der.subarray(start, start + length), rest: der.subarray(start + length) };
}

function malformed(what: string, reason: string): MalformedDataError {
  return new MalformedDataError({ what, path: "", reason });
}
