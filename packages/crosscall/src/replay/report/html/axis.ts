/** From this ratio of the largest to the smallest value on, the axis is logarithmic. */
const LOGARITHMIC_FROM = 1_000n;

export interface Axis {
  readonly minimum: bigint;
  readonly maximum: bigint;
  readonly isLogarithmic: boolean;
  /** In pixels, with one decimal. */
  readonly positionOf: (value: bigint) => number;
}

export function axisOf(
  values: readonly bigint[],
  { start, end }: { readonly start: number; readonly end: number },
): Axis {
  let minimum = values[0] ?? 0n;
  let maximum = minimum;
  for (const value of values) {
    if (value < minimum) minimum = value;
    if (value > maximum) maximum = value;
  }
  const isLogarithmic = minimum > 0n && maximum / minimum >= LOGARITHMIC_FROM;
  const low = isLogarithmic ? Math.log(Number(minimum)) : 0;
  const range = isLogarithmic ? Math.log(Number(maximum)) - low : Number(maximum - minimum);
  return {
    minimum,
    maximum,
    isLogarithmic,
    positionOf: (value) => {
      const along = isLogarithmic ? Math.log(Number(value)) - low : Number(value - minimum);
      // All values are equal.
      const share = range === 0 ? 0.5 : along / range;
      return Math.round((start + share * (end - start)) * 10) / 10;
    },
  };
}

export function ticksOf(axis: Axis, count: number): { readonly value: bigint; readonly position: number }[] {
  const { minimum, maximum, isLogarithmic, positionOf } = axis;
  const values = Array.from({ length: count }, (_, index) => {
    if (index === 0) return minimum;
    if (index === count - 1) return maximum;
    if (!isLogarithmic) return minimum + ((maximum - minimum) * BigInt(index)) / BigInt(count - 1);
    const share = Math.pow(Number(maximum) / Number(minimum), index / (count - 1));
    return toTwoDigits(BigInt(Math.round(Number(minimum) * share)));
  });
  return [...new Set(values)].map((value) => ({ value, position: positionOf(value) }));
}

function toTwoDigits(value: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(String(value).length - 2, 0));
  return (value / unit) * unit;
}
