import { InvalidInputError } from "@crosscall/protocol/core";

export const CHAIN_LIMITS = {
  mineBlocks: 1_000,
  reorgBlocks: 256,
  minimumIntervalMs: 10,
  intervalMs: 600_000,
  latencyMs: 60_000,
  /** Amount in the smallest unit. */
  faucetAmount: 10n ** 30n,
} as const;

export function requireBetween(field: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new InvalidInputError({
    field,
    value,
    reason: most < least ? "the chain has no blocks to replace" : `must be a whole number from ${least} to ${most}`,
    hint: most < least ? "Mine blocks first." : `Pass a number from ${least} to ${most}.`,
  });
}
