import { type Hex, bytesToHex } from "viem";

import { InvalidInputError } from "../core/errors.ts";

/** What a text must be, for the error. */
export interface Expected {
  readonly field: string;
  /** `an EVM address of 20 bytes`. */
  readonly what: string;
}

export function refuseText(value: string, { field, what }: Expected): never {
  throw new InvalidInputError({
    field,
    value,
    reason: `it is not ${what}`,
    hint: `Write ${field} as its chain does.`,
  });
}

/**
 * Reads bytes as hex with 0x, in lower case.
 *
 * @param byteLength `undefined` where any number of bytes is right
 */
export function readHex(value: string, byteLength: number | undefined, expected: Expected): Hex {
  if (/^0x([0-9a-f]{2})+$/iu.test(value) && (byteLength === undefined || value.length === 2 + 2 * byteLength)) {
    return value.toLowerCase() as Hex;
  }
  return refuseText(value, expected);
}

/** Reads text by a decoder that returns undefined when the text is none of its kind. */
export function readBy(
  decode: (text: string) => Uint8Array | undefined,
  value: string,
  byteLength: number | undefined,
  expected: Expected,
): Hex {
  const bytes = decode(value);
  if (bytes === undefined || (byteLength !== undefined && bytes.length !== byteLength)) {
    return refuseText(value, expected);
  }
  return bytesToHex(bytes);
}
