import { parseEvmAddress } from "../chains/address.ts";
import { bpsOf } from "../encoding/amounts.ts";
import { InvalidInputError } from "../core/errors.ts";
import type { PlatformFeeType } from "./platformFee.ts";
import { USD_ONE_E18 } from "./usd.ts";

/** Bounds of the tiers by trailing 30-day volume, in US dollars, scaled by 10^18. */
const VOLUME_FLOOR = 10_000_000n * USD_ONE_E18;
const VOLUME_SECOND_TIER = 100_000_000n * USD_ONE_E18;
const VOLUME_CEILING = 1_000_000_000n * USD_ONE_E18;

/** Shares of the first and the second tier, in basis points (spec 2, section 9.1). */
const SHARE_BPS: Readonly<Record<PlatformFeeType, readonly [bigint, bigint]>> = {
  bridge: [0n, 0n],
  wrap: [0n, 0n],
  stablecoinSwap: [3_400n, 6_700n],
  majorSwap: [2_500n, 5_000n],
  minorSwap: [3_333n, 6_667n],
};

export const REVENUE_SHARE_REASONS = {
  NO_API_KEY: "The quote request has no API key.",
  BUSINESS_NOT_VERIFIED: "The business verification is not complete.",
  VOLUME_TOO_LOW: "The trailing 30-day volume is 10,000,000 USD or less.",
  VOLUME_BEYOND_TABLE: "The volume is above 1,000,000,000 USD, the end of the published table.",
  NO_EVM_WALLET: "No EVM wallet is configured to receive the share.",
  NO_FEE_TO_SHARE: "Bridges and wraps have no platform fee.",
} as const;

export type RevenueShareReason = keyof typeof REVENUE_SHARE_REASONS;

export interface RevenueShareParameters {
  readonly type: PlatformFeeType;
  /** Platform fee in US dollars, scaled by 10^18. */
  readonly platformFeeUsdE18: bigint;
  readonly hasApiKey: boolean;
  readonly isBusinessVerified: boolean;
  /** Aggregate volume of the trailing 30 days, in US dollars, scaled by 10^18. */
  readonly volumeUsdE18: bigint;
  /** Receives the share. */
  readonly wallet?: string | undefined;
}

/** Split of a platform fee, with amounts in US dollars, scaled by 10^18. */
export type RevenueShare =
  | {
      readonly kind: "shared";
      readonly wallet: string;
      readonly shareBps: bigint;
      /** Rounded down. */
      readonly integratorUsdE18: bigint;
      readonly serviceUsdE18: bigint;
    }
  | { readonly kind: "none"; readonly reasons: readonly RevenueShareReason[]; readonly serviceUsdE18: bigint };

/**
 * Splits a platform fee between service and integrator (spec 2, section 9.1). A share never changes the user's costs. A
 * volume of exactly 100,000,000 USD gets the higher share.
 */
export function revenueShare(parameters: RevenueShareParameters): RevenueShare {
  const { type, platformFeeUsdE18, volumeUsdE18, wallet } = parameters;
  const shareBps = SHARE_BPS[type][volumeUsdE18 < VOLUME_SECOND_TIER ? 0 : 1];
  const reasons: RevenueShareReason[] = [];
  if (!parameters.hasApiKey) reasons.push("NO_API_KEY");
  if (!parameters.isBusinessVerified) reasons.push("BUSINESS_NOT_VERIFIED");
  if (volumeUsdE18 <= VOLUME_FLOOR) reasons.push("VOLUME_TOO_LOW");
  if (volumeUsdE18 > VOLUME_CEILING) reasons.push("VOLUME_BEYOND_TABLE");
  if (shareBps === 0n) reasons.push("NO_FEE_TO_SHARE");
  if (wallet === undefined || !isEvmWallet(wallet)) {
    return { kind: "none", reasons: [...reasons, "NO_EVM_WALLET"], serviceUsdE18: platformFeeUsdE18 };
  }
  if (reasons.length > 0) return { kind: "none", reasons, serviceUsdE18: platformFeeUsdE18 };
  const integratorUsdE18 = bpsOf(platformFeeUsdE18, shareBps);
  return { kind: "shared", wallet, shareBps, integratorUsdE18, serviceUsdE18: platformFeeUsdE18 - integratorUsdE18 };
}

function isEvmWallet(wallet: string): boolean {
  try {
    parseEvmAddress(wallet, "wallet");
    return true;
  } catch (error) {
    if (error instanceof InvalidInputError) return false;
    throw error;
  }
}
