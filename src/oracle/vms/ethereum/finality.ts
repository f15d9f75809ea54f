import type { AdditionalData } from "../../chainFiles.ts";
import type { EvmBlock } from "./evmReader.ts";

/** How deep a transaction must lie (spec 5, section 4). */
export interface Finality {
  readonly blocks: number;
  /** Seconds of the chain's own clock. */
  readonly seconds: number;
}

const DEFAULT_BLOCKS = 10;
const DEFAULT_SECONDS = 60;

/** What makes a transaction of a chain final. */
export function finalityOf({ finalizationBlocks, finalizationTime }: AdditionalData): Finality {
  return { blocks: finalizationBlocks ?? DEFAULT_BLOCKS, seconds: finalizationTime ?? DEFAULT_SECONDS };
}

/** Whether a block lies deep enough below the latest. */
export function isDeepEnough(
  block: Pick<EvmBlock, "number" | "timestamp">,
  latest: Pick<EvmBlock, "number" | "timestamp">,
  { blocks, seconds }: Finality,
): boolean {
  return latest.number - block.number >= blocks && latest.timestamp - block.timestamp >= seconds;
}

/**
 * What must be waited for in fast mode: each amount's tier is the one with the smallest maximum above it, and the
 * strictest counts.
 *
 * @returns undefined where that is no less than what makes a transaction final
 */
export function fastFinalityOf(
  additionalData: AdditionalData,
  deposits: readonly { readonly currency: string; readonly amount: bigint }[],
): Finality | undefined {
  const final = finalityOf(additionalData);
  const { fastMode } = additionalData;
  if (fastMode === undefined || deposits.length === 0) return undefined;
  let needed: Finality = { blocks: 0, seconds: 0 };
  for (const { currency, amount } of deposits) {
    const tiers = fastMode.finalityTiers[currency] ?? [];
    const [tier] = tiers
      .filter(({ maxAmount }) => BigInt(maxAmount) > amount)
      .toSorted((a, b) => (BigInt(a.maxAmount) < BigInt(b.maxAmount) ? -1 : 1));
    needed = {
      blocks: Math.max(needed.blocks, tier?.finalizationBlocks ?? final.blocks),
      seconds: Math.max(needed.seconds, tier?.finalizationTime ?? final.seconds),
    };
  }
  return needed.blocks >= final.blocks && needed.seconds >= final.seconds ? undefined : needed;
}
