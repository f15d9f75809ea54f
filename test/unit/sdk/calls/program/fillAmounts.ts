import { type Hex, numberToHex } from "viem";

import { isPlaceholder, type ProgramAmount } from "../../../../../packages/sdk/src/calls/program/placeholder.ts";

/** Arguments with a number for each amount, written without the encoder. */
export function fillAmounts(value: unknown, numberOf: (amount: ProgramAmount) => bigint): unknown {
  if (isPlaceholder(value)) {
    if (!("bytes" in value)) return numberOf(value);
    return value.fields.reduce<Hex>(
      (bytes, { offset, width, amount }) => writeNumber(bytes, offset, width, numberOf(amount)),
      value.bytes,
    );
  }
  if (Array.isArray(value)) return value.map((part) => fillAmounts(part, numberOf));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fillAmounts(part, numberOf)]));
}

/** The bytes with a number at an offset, truncated to the given width. */
export function writeNumber(bytes: Hex, offset: number, width: number, number: bigint): Hex {
  const written = numberToHex(number % 2n ** BigInt(8 * width), { size: width }).slice(2);
  return `0x${bytes.slice(2, 2 + 2 * offset)}${written}${bytes.slice(2 + 2 * (offset + width))}`;
}
