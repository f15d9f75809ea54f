import type { EnvelopeGas } from "./envelope.ts";
import type { Trial } from "./trial.ts";

/** How close the smallest gas limit is found. */
const RESOLUTION = 1_000n;

/** Limits are told in whole thousands, with a fifth more. */
const recommend = (limit: bigint): bigint => ((limit * 12n) / 10n / RESOLUTION + 1n) * RESOLUTION;

/** What {@link envelopeGas} takes. */
export interface EnvelopeGasParameters {
  readonly trials: readonly Trial[];
  /** The most that a transaction may take. */
  readonly blockGasLimit: bigint;
  /** Whether a fill goes the same way with a gas limit. */
  readonly worksWith: (trial: Trial, gas: bigint) => Promise<boolean>;
}

/**
 * What a fill takes of gas, and what it must be given. The two differ: refunds come when all is over, and each call keeps
 * a part of the gas from what it calls.
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

/** The smallest gas limit that works, to the thousand, between what was used and what a block has. */
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
