import { type Hex, bytesToHex } from "viem";

import { InvalidInputError } from "../core/errors.ts";

/** Expected format, for the error. */
export interface Expected {
  readonly field: string;
  /** Description of the format, such as `an EVM address of 20 bytes`. */
  readonly what: string;
}

export function rejectText(value: string, { field, what }: Expected): never {
  throw new InvalidInputError({
    field,
    value,
    reason: `it is not ${what}`,
    hint: `Pass ${field} in its chain's format.`,
  });
}

/**
 * Reads bytes as hex with 0x, in lower case.
 *
 * @param byteLength required length; `undefined` allows any length
 */
export function readHex(value: string, byteLength: number | undefined, expected: Expected): Hex {
  if (/^0x([0-9a-f]{2})+$/iu.test(value) && (byteLength === undefined || value.length === 2 + 2 * byteLength)) {
    return value.toLowerCase() as Hex;
  }
  return rejectText(value, expected);
}

/** Decodes text; the decoder returns undefined for invalid text. */
export function readBy(
  decode: (text: string) => Uint8Array | undefined,
  value: string,
  byteLength: number | undefined,
  expected: Expected,
): Hex {
  const bytes = decode(value);
  if (bytes === undefined || (byteLength !== undefined && bytes.length !== byteLength)) {
    return rejectText(value, expected);
  }
  return bytesToHex(bytes);
}
