/** Regrouped digits, and the bits that do not fill the last digit. */
export interface RegroupedBits {
  readonly digits: readonly number[];
  /** The remaining bits, as a number. */
  readonly rest: number;
  readonly restBits: number;
}

/**
 * Writes digits of `from` bits as digits of `to` bits, the highest bit first.
 *
 * @param from number of bits, at most 8, like `to`
 */
function regroupBits(values: Iterable<number>, from: number, to: number): RegroupedBits {
  const digits: number[] = [];
  let rest = 0;
  let restBits = 0;
  for (const value of values) {
    rest = (rest << from) | value;
    restBits += from;
    while (restBits >= to) {
      restBits -= to;
      digits.push(rest >> restBits);
      rest &= (1 << restBits) - 1;
    }
  }
  return { digits, rest, restBits };
}

/** Like `regroupBits`, padded with zero bits. */
export function padBits(values: Iterable<number>, from: number, to: number): readonly number[] {
  const { digits, rest, restBits } = regroupBits(values, from, to);
  return restBits === 0 ? digits : [...digits, rest << (to - restBits)];
}

/** Returns the bytes of padded digits, or undefined unless the padding is shorter than a digit and all zeros. */
export function unpadBits(values: Iterable<number>, from: number): Uint8Array | undefined {
  const { digits, rest, restBits } = regroupBits(values, from, 8);
  return rest === 0 && restBits < from ? Uint8Array.from(digits) : undefined;
}
