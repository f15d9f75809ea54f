import { type Address, type Hex, bytesToHex, getAddress, isAddress, isHex, pad, size } from "viem";

import { decodeBase58 } from "../encoding/baseTexts.ts";
import { InvalidInputError } from "../core/errors.ts";

export const EVM_NATIVE_CURRENCY: Address = "0x0000000000000000000000000000000000000000";

/**
 * Returns a checksummed address (EIP-55).
 * @param value hex in any case; mixed case must have a valid checksum
 * @param field path of the value, for the error
 */
export function parseEvmAddress(value: unknown, field: string): Address {
  if (typeof value === "string" && isAddress(value, { strict: false })) {
    const isOneCase = /^0x([0-9a-f]{40}|[0-9A-F]{40})$/u.test(value);
    if (isOneCase || isAddress(value)) return getAddress(value);
    throw new InvalidInputError({
      field,
      value,
      reason: "its EIP-55 checksum does not match",
      hint: `Copy ${field} again, or write it in lower case.`,
    });
  }
  throw new InvalidInputError({
    field,
    value,
    reason: "it is not an EVM address of 20 bytes",
    hint: `Pass ${field} as 0x and 40 hexadecimal digits.`,
  });
}

/**
 * Parses addresses from the service, some of which have no valid checksum.
 * @param field path of the address, for the error
 */
export function parseServiceAddress(value: unknown, field: string): Address {
  return parseEvmAddress(typeof value === "string" ? value.toLowerCase() : value, field);
}

/** Ignores case for EVM addresses only. */
export function isSameAddress(a: string, b: string): boolean {
  return a === b || (isAddress(a, { strict: false }) && a.toLowerCase() === b.toLowerCase());
}

export function isEvmNative(currency: string): boolean {
  return isSameAddress(currency, EVM_NATIVE_CURRENCY);
}

/**
 * Encodes an address: 20 bytes for EVM, the 32-byte public key for SVM.
 *
 * @param value an EVM address, another hex encoding, or a base58 SVM address
 */
export function encodeAddress(value: string, field: string): Hex {
  if (isHex(value) && value.length > 2 && value.length % 2 === 0) return value.toLowerCase() as Hex;
  const publicKey = decodeBase58(value);
  if (publicKey?.length === 32) return bytesToHex(publicKey);
  throw new InvalidInputError({
    field,
    value,
    reason: "it is neither hexadecimal nor a base58 key of 32 bytes",
    hint: `Pass ${field} in its chain's format.`,
  });
}

/** Encodes an address as a word, left-padded with zeros, for the request signature. */
export function encodeAddressWord(value: string, field: string): Hex {
  const encoded = encodeAddress(value, field);
  if (size(encoded) <= 32) return pad(encoded, { size: 32, dir: "left" });
  throw new InvalidInputError({
    field,
    value,
    reason: `its ${size(encoded)} bytes do not fit into 32 bytes`,
    hint: `Pass ${field} in its chain's format.`,
  });
}
