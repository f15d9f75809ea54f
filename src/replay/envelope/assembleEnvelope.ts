import type { Address } from "viem";

import type { Envelope, EnvelopeGas, EnvelopePoint } from "./envelope.ts";
import { joinRanges } from "./joinRanges.ts";
import type { Trial } from "./trial.ts";

/** The trials that an envelope tells of: the amounts that were asked for, and those at both sides of each border. */
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

/** What the recipient gets by any of the trials, in the order in which it was seen. */
export function listOutputs(trials: readonly Trial[]): readonly Address[] {
  return [...new Set(trials.flatMap(({ received }) => [...received.keys()]))];
}

/** @param trials at least one, by amount, rising */
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
