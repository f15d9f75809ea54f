import type { AmountRange } from "./envelopeRange.ts";

/** Factors are whole numbers of this part, so that amounts beyond 2^53 keep their digits. */
const FACTOR_UNIT = 2 ** 40;

/**
 * The amounts of a range that are tried first: rising, each once, both ends among them. They are fewer than the steps
 * where the range has fewer amounts.
 */
export function spreadAmounts(range: AmountRange): readonly bigint[] {
  const { from, to, steps } = range;
  const last = steps - 1;
  const amounts = new Set([from]);
  for (let step = 1; step < last; step += 1) amounts.add(amountAt(range, step, last));
  amounts.add(to);
  return [...amounts];
}

function amountAt({ from, to, scale }: AmountRange, step: number, last: number): bigint {
  switch (scale) {
    case "linear":
      return from + ((to - from) * BigInt(step)) / BigInt(last);
    case "log": {
      // Ratios need a beginning: that of a range from nothing is one unit.
      const start = from === 0n ? 1n : from;
      const factor = Math.exp((Math.log(ratioOf(to, start)) * step) / last);
      const amount = (start * BigInt(Math.round(factor * FACTOR_UNIT))) / BigInt(FACTOR_UNIT);
      return amount > to ? to : amount;
    }
  }
}

/** Exact enough for a logarithm, whatever the size of the amounts. */
function ratioOf(numerator: bigint, denominator: bigint): number {
  return Number(numerator) / Number(denominator);
}
