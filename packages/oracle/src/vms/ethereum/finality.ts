import type { AdditionalData } from "../../chainFiles.ts";
import type { EvmBlock } from "./evmReader.ts";

/** Required depth (spec 5, section 4). */
export interface Finality {
  readonly blocks: number;
  /** By the chain's clock. */
  readonly seconds: number;
}

const DEFAULT_BLOCKS = 10;
const DEFAULT_SECONDS = 60;

export function finalityOf({ finalizationBlocks, finalizationTime }: AdditionalData): Finality {
  return { blocks: finalizationBlocks ?? DEFAULT_BLOCKS, seconds: finalizationTime ?? DEFAULT_SECONDS };
}

export function isDeepEnough(
  block: Pick<EvmBlock, "number" | "timestamp">,
  latest: Pick<EvmBlock, "number" | "timestamp">,
  { blocks, seconds }: Finality,
): boolean {
  return latest.number - block.number >= blocks && latest.timestamp - block.timestamp >= seconds;
}

/**
 * The strictest of the amounts' tiers, where a tier is the one with the smallest maximum above the amount. Without
 * deposits nothing is credited, so any depth is enough.
 *
 * @returns undefined if it is not faster than ordinary finality
 */
export function fastFinalityOf(
  additionalData: AdditionalData,
  deposits: readonly { readonly currency: string; readonly amount: bigint }[],
): Finality | undefined {
  const final = finalityOf(additionalData);
  const { fastMode } = additionalData;
  if (fastMode === undefined) return undefined;
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
