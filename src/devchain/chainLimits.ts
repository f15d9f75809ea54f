import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";

/** Bounds of what a chain can be told. */
export const CHAIN_LIMITS = {
  /** Blocks mined at once. */
  mineBlocks: 1_000,
  /** Blocks taken back at once. */
  reorgBlocks: 256,
  minimumIntervalMs: 10,
  intervalMs: 600_000,
  latencyMs: 60_000,
  /** What the faucet gives at once, in the smallest unit. */
  faucetAmount: 10n ** 30n,
} as const;

/** Refuses a number that is not whole or out of its bounds. */
export function requireBetween(field: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new InvalidInputError({
    field,
    value,
    reason: `must be a whole number from ${least} to ${most}`,
    hint: most < least ? "Mine blocks first." : `Use a number from ${least} to ${most}.`,
  });
}
