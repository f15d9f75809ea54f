import type { Address } from "viem";
import type { FailReason } from "@crosscall/protocol/request";

import type { Tried } from "./searchBorders.ts";

export interface EnvelopePoint {
  /** Delivered amount in the smallest unit. */
  readonly amount: bigint;
  readonly success: boolean;
  /** Gas of the whole transaction. */
  readonly gasUsed: bigint;
  /** Received amounts in the order of `outputs`, in the smallest unit; empty for a failure. */
  readonly received: readonly bigint[];
  readonly failReason: FailReason | undefined;
  /** From 0. */
  readonly txIndex: number | undefined;
}

/** A range in which every tried amount has the same outcome. */
export interface EnvelopeRange {
  readonly from: bigint;
  readonly to: bigint;
  readonly success: boolean;
  readonly failReason: FailReason | undefined;
  /** From 0. */
  readonly txIndex: number | undefined;
}

interface EnvelopeGas {
  /** Maximum gas over all working amounts. */
  readonly maximum: bigint;
  /** 99th percentile. */
  readonly p99: bigint;
  /** Recommended gas limit: the limit for the costliest amount, plus a fifth. */
  readonly recommendedLimit: bigint;
}

/** Results of a fill over a range of delivered amounts. */
export interface Envelope {
  /** Currencies that the recipient receives; the zero address for native currency. */
  readonly outputs: readonly Address[];
  /** In ascending order. */
  readonly points: readonly EnvelopePoint[];
  /** Ranges without gaps. Borders between success and failure are exact to the unit. */
  readonly ranges: readonly EnvelopeRange[];
  /** Smallest amount that works. */
  readonly smallestWorking: bigint | undefined;
  /** Gas of the amounts that work; undefined if none works. */
  readonly gas: EnvelopeGas | undefined;
}

export interface Trial extends Tried {
  /** Gas of the whole transaction. */
  readonly gasUsed: bigint;
  /** Received amounts in the smallest unit; empty for a failure. */
  readonly received: ReadonlyMap<Address, bigint>;
  readonly failReason: FailReason | undefined;
  /** From 0. */
  readonly txIndex: number | undefined;
}

export const WORKS = "works";

export function isSameReceived(left: Trial["received"], right: Trial["received"]): boolean {
  return left.size === right.size && [...left].every(([currency, amount]) => right.get(currency) === amount);
}

/** Selects the trials of the requested amounts, and the trials on both sides of each border. */
export function selectTrials(tried: readonly Trial[], requested: readonly bigint[]): readonly Trial[] {
  const amounts = new Set(requested);
  return tried.filter(
    ({ amount, outcome }, index) =>
      amounts.has(amount) ||
      [tried[index - 1], tried[index + 1]].some(
        (neighbour) => neighbour !== undefined && neighbour.outcome !== outcome,
      ),
  );
}

/** Lists output currencies in the order in which they first appear. */
export function listOutputs(trials: readonly Trial[]): readonly Address[] {
  return [...new Set(trials.flatMap(({ received }) => [...received.keys()]))];
}

/** @param trials trials, at least one, in ascending order */
export function assembleEnvelope(trials: readonly Trial[], gas: EnvelopeGas | undefined): Envelope {
  const outputs = listOutputs(trials);
  const points = trials.map(({ amount, success, gasUsed, received, failReason, txIndex }): EnvelopePoint => ({
    amount,
    success,
    gasUsed,
    received: success ? outputs.map((currency) => received.get(currency) ?? 0n) : [],
    failReason,
    txIndex,
  }));
  return {
    outputs,
    points,
    ranges: joinRanges(points),
    smallestWorking: points.find(({ success }) => success)?.amount,
    gas,
  };
}

/**
 * Joins adjacent points with the same outcome into ranges.
 *
 * @param points points, at least one, in ascending order, without untried amounts between different outcomes
 */
export function joinRanges(points: readonly EnvelopePoint[]): readonly EnvelopeRange[] {
  const ranges: EnvelopeRange[] = [];
  for (const point of points) {
    const { amount, success, failReason, txIndex } = point;
    const last = ranges.at(-1);
    if (last?.success === success && last.failReason === failReason && last.txIndex === txIndex) {
      ranges[ranges.length - 1] = { ...last, to: amount };
      continue;
    }
    // Untried amounts between failures with different reasons belong to the range before.
    if (last !== undefined) ranges[ranges.length - 1] = { ...last, to: amount - 1n };
    ranges.push({ from: amount, to: amount, success, failReason, txIndex });
  }
  return ranges;
}

/** Precision of gas limits. */
const RESOLUTION = 1_000n;

/** Adds a fifth, and rounds up to the next thousand. */
const recommend = (limit: bigint): bigint => ((limit * 12n) / 10n / RESOLUTION + 1n) * RESOLUTION;

interface EnvelopeGasParameters {
  readonly trials: readonly Trial[];
  readonly blockGasLimit: bigint;
  /** Returns whether a fill has the same outcome with a gas limit. */
  readonly worksWith: (trial: Trial, gas: bigint) => Promise<boolean>;
}

/**
 * Measures the used gas and the required gas limit, which differ: refunds come at the end, and each call keeps a 64th.
 */
export async function envelopeGas({
  trials,
  blockGasLimit,
  worksWith,
}: EnvelopeGasParameters): Promise<EnvelopeGas | undefined> {
  const working = trials.filter(({ success }) => success).sort((left, right) => Number(left.gasUsed - right.gasUsed));
  const dearest = working.at(-1);
  const p99 = working[Math.ceil(working.length * 0.99) - 1];
  if (dearest === undefined || p99 === undefined) return undefined;
  const needed = await smallestGas(dearest.gasUsed, blockGasLimit, (gas) => worksWith(dearest, gas));
  const recommended = recommend(needed);
  return {
    maximum: dearest.gasUsed,
    p99: p99.gasUsed,
    recommendedLimit: recommended < blockGasLimit ? recommended : blockGasLimit,
  };
}

/** Finds the smallest limit to the thousand, between the gas used and the block's limit. */
async function smallestGas(
  used: bigint,
  blockGasLimit: bigint,
  works: (gas: bigint) => Promise<boolean>,
): Promise<bigint> {
  if (await works(used)) return used;
  let low = used;
  let high = (used * 5n) / 4n;
  while (high < blockGasLimit && !(await works(high))) {
    low = high;
    high = (high * 5n) / 4n;
  }
  if (high >= blockGasLimit) return blockGasLimit;
  while (high - low > RESOLUTION) {
    const middle = (low + high) / 2n;
    if (await works(middle)) high = middle;
    else low = middle;
  }
  return high;
}
