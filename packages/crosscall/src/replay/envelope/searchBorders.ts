import { throwIfAborted } from "@crosscall/protocol/core";

export interface Tried {
  /** Smallest unit. */
  readonly amount: bigint;
  readonly success: boolean;
  /** Key that is equal for amounts with the same outcome. It differs between failure reasons. */
  readonly outcome: string;
}

export interface BorderSearch<Trial extends Tried> {
  /** Amounts to try first: distinct, in ascending order. */
  readonly amounts: readonly bigint[];
  /** Tries amounts and returns the trials in the same order. */
  readonly tryAmounts: (amounts: readonly bigint[]) => Promise<readonly Trial[]>;
  /** Number of amounts to try per batch; 1 if batching saves nothing. */
  readonly width: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Maximum number of trials for borders between failures, which can change with every amount. Borders between success
 * and failure are always found.
 */
const MAXIMUM_TRIES_BETWEEN_FAILURES = 4_096;

/**
 * Bisects between neighbors with different outcomes until they are adjacent, without assuming monotonicity. Finds even
 * the smallest working window between failures with different reasons.
 *
 * @returns all trials in ascending order
 * @throws {@link AbortedError} when the signal fires
 */
export async function searchBorders<Trial extends Tried>({
  amounts,
  tryAmounts,
  width,
  signal,
}: BorderSearch<Trial>): Promise<readonly Trial[]> {
  let tried = await tryAll(amounts);
  for (let spent = 0; ;) {
    const gaps = findGaps(tried, spent < MAXIMUM_TRIES_BETWEEN_FAILURES);
    if (gaps.length === 0) return tried;
    const each = Math.max(1, Math.floor(width / gaps.length));
    const between = gaps.flatMap(([low, high]) => splitGap(low.amount, high.amount, each));
    tried = [...tried, ...(await tryAll(between))].sort(byAmount);
    spent += between.length;
  }

  async function tryAll(list: readonly bigint[]): Promise<readonly Trial[]> {
    throwIfAborted(signal, "the search for the envelope's borders");
    return await tryAmounts(list);
  }
}

/** Finds neighbors with different outcomes that have untried amounts in between. */
function findGaps<Trial extends Tried>(
  tried: readonly Trial[],
  hasFailures: boolean,
): readonly (readonly [Trial, Trial])[] {
  return tried.slice(1).flatMap((high, index) => {
    const low = tried[index];
    if (low === undefined || high.amount - low.amount < 2n || low.outcome === high.outcome) return [];
    return low.success !== high.success || hasFailures ? [[low, high] as const] : [];
  });
}

/** Returns up to `count` evenly spaced amounts between two amounts. */
function splitGap(low: bigint, high: bigint, count: number): readonly bigint[] {
  const inside = high - low - 1n;
  const parts = BigInt(count) > inside ? inside : BigInt(count);
  return Array.from({ length: Number(parts) }, (_, part) => low + ((high - low) * BigInt(part + 1)) / (parts + 1n));
}

function byAmount(left: Tried, right: Tried): number {
  return left.amount < right.amount ? -1 : 1;
}
