import { InvalidInputError } from "@crosscall/protocol/core";

const MOST = 255;

/** Counts are one byte. */
export function requireCount(count: number, field: string, what: string): void {
  if (count <= MOST) return;
  throw new InvalidInputError({
    field,
    value: `${count} ${what}`,
    reason: `there can be ${MOST} at most`,
    hint: "Make it two programs.",
  });
}
