import type { Address } from "viem";

import type { Envelope, EnvelopeGas, EnvelopePoint, EnvelopeRange } from "./envelope.ts";
import type { Trial } from "./trial.ts";

/** The requested amounts, and those on both sides of each border. */
export function selectTrials(tried: readonly Trial[], asked: readonly bigint[]): readonly Trial[] {
  const amounts = new Set(asked);
  return tried.filter(
    ({ amount, outcome }, index) =>
      amounts.has(amount) ||
      [tried[index - 1], tried[index + 1]].some(
        (neighbour) => neighbour !== undefined && neighbour.outcome !== outcome,
      ),
  );
}

/** In the order in which they were seen. */
export function listOutputs(trials: readonly Trial[]): readonly Address[] {
  return [...new Set(trials.flatMap(({ received }) => [...received.keys()]))];
}

/** @param trials at least one, in ascending order */
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
 * Adjacent points with the same outcome form a range.
 *
 * @param points at least one, in ascending order, with no unknown amount between different outcomes
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
    // Between failures of different reasons, unknown amounts belong to the range before.
    if (last !== undefined) ranges[ranges.length - 1] = { ...last, to: amount - 1n };
    ranges.push({ from: amount, to: amount, success, failReason, txIndex });
  }
  return ranges;
}
