import { throwIfAborted } from "@crosscall/sdk/internal/core/abort";

/** How a fill went for an amount, as far as borders are concerned. */
export interface Tried {
  /** Smallest unit. */
  readonly amount: bigint;
  readonly success: boolean;
  /** The same for amounts that go the same way: two failures for different reasons differ in it. */
  readonly outcome: string;
}

/** What {@link searchBorders} takes. */
export interface BorderSearch<Trial extends Tried> {
  /** Tried first: rising, each once. */
  readonly amounts: readonly bigint[];
  /** Tries amounts, and answers in their order. */
  readonly tryAmounts: (amounts: readonly bigint[]) => Promise<readonly Trial[]>;
  /** How many amounts are tried in one go while borders are searched: 1 where each costs the same by itself. */
  readonly width: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Failures that change with every amount would be followed without end. Borders between what works and what does not are
 * few, and always found.
 */
const MAXIMUM_TRIES_BETWEEN_FAILURES = 4_096;

/**
 * Tries amounts, and then between each two neighbours of different outcome until no amount is left between them. Nothing
 * is taken for monotone. Where a fill fails below a window for one reason and above it for another, the window is found
 * however small it is: the search never ends between the two reasons.
 *
 * @returns all that was tried, by amount, rising
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

/** Neighbours of different outcome with amounts between them. */
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

/** Up to `count` amounts between two others, evenly. */
function splitGap(low: bigint, high: bigint, count: number): readonly bigint[] {
  const inside = high - low - 1n;
  const parts = BigInt(count) > inside ? inside : BigInt(count);
  return Array.from({ length: Number(parts) }, (_, part) => low + ((high - low) * BigInt(part + 1)) / (parts + 1n));
}

function byAmount(left: Tried, right: Tried): number {
  return left.amount < right.amount ? -1 : 1;
}
