import { mulDiv, requireAmount } from "@crosscall/sdk/internal/core/amounts";
import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import type { FillPlan } from "../fillPlan.ts";

/** How the amounts of an envelope are spread: by equal differences, or by equal ratios. */
export type EnvelopeScale = "linear" | "log";

/** Which delivered amounts an envelope is of. */
export interface EnvelopeRangeOptions {
  /** Smallest unit; the least that the order lets the solver deliver when left out. */
  readonly from?: bigint | undefined;
  /** Smallest unit; what the order expects with the same surplus as its minimum is below it, 1 % at least, when left out. */
  readonly to?: bigint | undefined;
  /** How many amounts are tried, both ends included, before borders are searched: 25 when left out, up to 10,000. */
  readonly steps?: number | undefined;
  /** `linear` when left out. */
  readonly scale?: EnvelopeScale | undefined;
}

/** An amount range that can be tried. */
export interface AmountRange {
  readonly from: bigint;
  readonly to: bigint;
  readonly steps: number;
  readonly scale: EnvelopeScale;
}

const DEFAULT_STEPS = 25;
const MAXIMUM_STEPS = 10_000;

/**
 * The range of delivered amounts that a plan's envelope is of.
 *
 * @throws {@link InvalidInputError} when the range is upside down, or its steps cannot be counted
 */
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
      hint: "Give the smaller amount as `from` and the larger as `to`.",
    });
  }
  if (!Number.isInteger(steps) || steps < 2 || steps > MAXIMUM_STEPS) {
    throw new InvalidInputError({
      field: "steps",
      value: steps,
      reason: `the amounts that are tried are a whole number from 2 to ${MAXIMUM_STEPS}`,
      hint: "Give more steps for a finer picture; borders are exact with any number.",
    });
  }
  return { from, to, steps, scale };
}

function bigintMax(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
