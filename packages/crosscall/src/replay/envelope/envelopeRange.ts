import { InvalidInputError } from "@crosscall/protocol/core";
import { mulDiv, requireAmount } from "@crosscall/protocol/encoding";

import type { FillPlan } from "../fillPlan.ts";

/** Equal differences or equal ratios. */
type EnvelopeScale = "linear" | "log";

export interface EnvelopeRangeOptions {
  /** Smallest unit; by default the order's minimum. */
  readonly from?: bigint | undefined;
  /** Smallest unit; by default as far above the expected amount as the minimum is below it, at least 1 %. */
  readonly to?: bigint | undefined;
  /** Number of amounts before borders are searched, both ends included: 25 by default, at most 10,000. */
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

/** @throws {@link InvalidInputError} if the range is empty, or the number of steps invalid */
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
      reason: `the range begins above it, at ${from}`,
      hint: "Pass the smaller amount as `from` and the larger as `to`.",
    });
  }
  if (!Number.isInteger(steps) || steps < 2 || steps > MAXIMUM_STEPS) {
    throw new InvalidInputError({
      field: "steps",
      value: steps,
      reason: `it is not a whole number from 2 to ${MAXIMUM_STEPS}`,
      hint: "Increase steps for more points; borders are exact with any number.",
    });
  }
  return { from, to, steps, scale };
}

function bigintMax(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

/** Fixed-point unit of factors, so that amounts beyond 2^53 keep their digits. */
const FACTOR_UNIT = 2 ** 40;

/** Returns distinct amounts in ascending order, including both ends; fewer than `steps` in a small range. */
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

/** Returns a ratio that is precise enough for a logarithm, for amounts of any size. */
function ratioOf(numerator: bigint, denominator: bigint): number {
  return Number(numerator) / Number(denominator);
}
