import type { EnvelopeGas } from "./envelope.ts";
import type { Trial } from "./trial.ts";

/** Precision of the smallest gas limit. */
const RESOLUTION = 1_000n;

/** Plus a fifth, rounded up to a thousand. */
const recommend = (limit: bigint): bigint => ((limit * 12n) / 10n / RESOLUTION + 1n) * RESOLUTION;

export interface EnvelopeGasParameters {
  readonly trials: readonly Trial[];
  readonly blockGasLimit: bigint;
  /** Whether a fill has the same outcome with a gas limit. */
  readonly worksWith: (trial: Trial, gas: bigint) => Promise<boolean>;
}

/** Gas used differs from gas needed: refunds come at the end, and each call keeps a 64th. */
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

/** To the thousand, between the gas used and the block's limit. */
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
