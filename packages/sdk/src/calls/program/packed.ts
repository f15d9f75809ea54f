import { type Hex, size } from "viem";

import { InvalidInputError } from "@crosscall/protocol/core";
import { parseCallData } from "@crosscall/protocol/common";
import { type AmountField, type PackedBytes, placeholder } from "./placeholder.ts";

const WIDTHS: readonly number[] = [16, 20, 32];

/**
 * Bytes without an ABI that contain amounts at given offsets: for arguments of type `bytes` or `bytes32` that a target
 * unpacks itself, and for complete call data. The bytes at these offsets are overwritten.
 *
 * @throws {@link InvalidInputError} when a field has an unsupported width, is outside the bytes, or overlaps another
 * field
 */
export function packed(bytes: Hex, fields: readonly AmountField[]): PackedBytes {
  parseCallData(bytes, "bytes");
  const length = size(bytes);
  for (const [index, { offset, width }] of fields.entries()) {
    if (!WIDTHS.includes(width)) {
      throw new InvalidInputError({
        field: `fields[${index}].width`,
        value: width,
        reason: "the executor can write 16, 20 or 32 bytes",
        hint: "Use the width of the field, or write only its low bytes.",
      });
    }
    if (!Number.isInteger(offset) || offset < 0 || offset + width > length) {
      throw new InvalidInputError({
        field: `fields[${index}].offset`,
        value: offset,
        reason: `its ${width} bytes are not within the ${length} bytes`,
        hint: "Count the offset from the first byte.",
      });
    }
    const other = fields
      .slice(0, index)
      .findIndex((earlier) => offset < earlier.offset + earlier.width && earlier.offset < offset + width);
    if (other !== -1) {
      throw new InvalidInputError({
        field: `fields[${index}].offset`,
        value: offset,
        reason: `its ${width} bytes overlap fields[${other}]`,
        hint: "Use separate fields for the amounts.",
      });
    }
  }
  return { [placeholder]: "packed", bytes, fields };
}
