import type { Address } from "viem";

/** One US dollar, in units of 10^-18 dollars. */
export const USD_ONE = 10n ** 18n;

/** Converts US dollars with up to nine decimals to US dollars, scaled by 10^18. */
export function toUsdE18(priceUsd: number): bigint {
  return BigInt(Math.round(priceUsd * 1e9)) * 10n ** 9n;
}

/** A permit that a token itself supports; all tokens also support Permit2. */
export interface TokenPermit {
  readonly kind: "eip2612" | "eip3009";
  /** Version in the token's EIP-712 domain; the domain's name is that of the token. */
  readonly version: string;
}

/** A currency of a local chain, with its price and special behavior. */
export interface ChainToken {
  /** Address; the zero address for the native currency. */
  readonly address: Address;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  /** Price in US dollars per whole unit, scaled by 10^18. */
  readonly priceUsdE18: bigint;
  readonly permit?: TokenPermit;
  /** Part of every transfer that the token burns, in bps. */
  readonly transferFeeBps?: bigint;
  /** Whether an allowance must be reset to zero before it changes. */
  readonly needsReset?: true;
}
