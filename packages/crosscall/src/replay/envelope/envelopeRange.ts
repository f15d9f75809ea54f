import { InvalidInputError } from "@crosscall/protocol/core";
import { mulDiv, requireAmount } from "@crosscall/protocol/encoding";

import type { FillPlan } from "../fillPlan.ts";

/** Spacing of the amounts: equal differences or equal ratios. */
type EnvelopeScale = "linear" | "log";

export interface EnvelopeRangeOptions {
  /** Smallest amount, in the smallest unit; by default, the order's minimum. */
  readonly from?: bigint | undefined;
  /**
   * Largest amount, in the smallest unit; by default, as far above the expected amount as the minimum is below it, but
   * at least 1%.
   */
  readonly to?: bigint | undefined;
  /** Number of amounts to try before the search for borders, including both ends: 25 by default, at most 10,000. */
  readonly steps?: number | undefined;
  /** `linear` by default. */
  readonly scale?: EnvelopeScale | undefined;
}

interface AmountRange {
  readonly from: bigint;
  readonly to: bigint;
  readonly steps: number;
  readonly scale: EnvelopeScale;
}

const DEFAULT_STEPS = 25;
const MAXIMUM_STEPS = 10_000;

/** @throws {@link InvalidInputError} if the range is empty, or the number of steps is invalid */
export function envelopeRange(plan: FillPlan, options: EnvelopeRangeOptions = {}): AmountRange {
  const { minimumAmount, expectedAmount } = plan;
  const { steps = DEFAULT_STEPS, scale = "linear" } = options;
  const from = requireAmount(options.from ?? minimumAmount, "from");
  const surplus = bigintMax(expectedAmount - minimumAmount, mulDiv(expectedAmount, 1n, 100n));
  const to = requireAmount(options.to ?? bigintMax(expectedAmount + surplus, from), "to");
  if (from > to) {
    throw new InvalidInputError({
      field: "to",
      value: to,
      reason: `the range begins above this amount, at ${from}`,
      hint: "Pass the smaller amount as `from` and the larger as `to`.",
    });
  }
  if (!Number.isInteger(steps) || steps < 2 || steps > MAXIMUM_STEPS) {
    throw new InvalidInputError({
      field: "steps",
      value: steps,
      reason: `it is not a whole number from 2 to ${MAXIMUM_STEPS}`,
      hint: "Increase steps for more points. Borders are exact with any number of steps.",
    });
  }
  return { from, to, steps, scale };
}

function bigintMax(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

/** Fixed-point unit for factors, so that amounts above 2^53 keep their precision. */
const FACTOR_UNIT = 2 ** 40;

/** Returns distinct amounts in ascending order, including both ends. A small range has fewer than `steps` amounts. */
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

/** Returns the ratio of two amounts of any size, precise enough for a logarithm. */
function ratioOf(numerator: bigint, denominator: bigint): number {
  return Number(numerator) / Number(denominator);
}
