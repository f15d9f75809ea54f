import type { AmountRange } from "./envelopeRange.ts";

/** Fixed-point unit of factors, so that amounts beyond 2^53 keep their digits. */
const FACTOR_UNIT = 2 ** 40;

/** Distinct amounts in ascending order, including both ends; fewer than `steps` in a small range. */
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
      // Ratios cannot start at zero.
      const start = from === 0n ? 1n : from;
      const factor = Math.exp((Math.log(ratioOf(to, start)) * step) / last);
      const amount = (start * BigInt(Math.round(factor * FACTOR_UNIT))) / BigInt(FACTOR_UNIT);
      return amount > to ? to : amount;
    }
  }
}

/** Precise enough for a logarithm, for amounts of any size. */
function ratioOf(numerator: bigint, denominator: bigint): number {
  return Number(numerator) / Number(denominator);
}
