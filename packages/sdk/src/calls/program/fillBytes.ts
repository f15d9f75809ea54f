import { concat, type Hex, numberToHex, size, slice } from "viem";

import type { PatchWidth } from "./placeholder.ts";

/** Writes a number into each field. */
export function fillBytes<Field extends { readonly offset: number; readonly width: PatchWidth }>(
  bytes: Hex,
  fields: readonly Field[],
  place: (field: Field, index: number) => bigint,
): Hex {
  return fields.reduce<Hex>((filled, field, index) => {
    const { offset, width } = field;
    const end = offset + width;
    return concat([
      cut(filled, 0, offset),
      numberToHex(place(field, index), { size: width }),
      cut(filled, end, size(filled)),
    ]);
  }, bytes);
}

/** Cuts a range of bytes, which can be empty, unlike with viem's `slice`. */
function cut(bytes: Hex, start: number, end: number): Hex {
  return start === end ? "0x" : slice(bytes, start, end);
}
