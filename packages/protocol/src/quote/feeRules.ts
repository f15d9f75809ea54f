import { bpsOf } from "../encoding/amounts.ts";
import type { QuoteRequest } from "./quoteRequest.ts";
import { USD_ONE_E18 } from "../fees/usd.ts";

/** Flat part of the execution fee, in US dollars, scaled by 10^18 (spec 2, section 8). */
export const EXECUTION_FLAT_USD_E18 = (2n * USD_ONE_E18) / 100n;

/** Fee for a new deposit to the exchange chain: 1 US dollar, scaled by 10^18 (spec 2, section 6). */
export const EXCHANGE_ACTIVATION_USD_E18 = USD_ONE_E18;

/** Costs that the execution fee covers, in US dollars, scaled by 10^18. */
export interface ExecutionFeeParameters {
  /** Gas of the fill. */
  readonly destinationGasUsdE18: bigint;
  /** Gas of the deposit, if the service sends it for the user. */
  readonly gaslessOriginGasUsdE18?: bigint | undefined;
}

/** Fees in US dollars, scaled by 10^18. */
export interface ExecutionFee {
  readonly flatUsdE18: bigint;
  readonly destinationGasUsdE18: bigint;
  readonly originGasUsdE18: bigint;
  readonly totalUsdE18: bigint;
}

/** Returns the execution fee (spec 2, section 9.1): a flat fee, the fill's gas, and the gas of gasless deposits. */
export function executionFee({
  destinationGasUsdE18,
  gaslessOriginGasUsdE18: originGasUsdE18 = 0n,
}: ExecutionFeeParameters): ExecutionFee {
  return {
    flatUsdE18: EXECUTION_FLAT_USD_E18,
    destinationGasUsdE18,
    originGasUsdE18,
    totalUsdE18: EXECUTION_FLAT_USD_E18 + destinationGasUsdE18 + originGasUsdE18,
  };
}

/** Components of the swap fee, in US dollars, scaled by 10^18. An impact in the user's favor is negative. */
export interface SwapFeeParameters {
  readonly dexFeeUsdE18: bigint;
  readonly dexImpactUsdE18: bigint;
  readonly rebalancingUsdE18: bigint;
}

/** Returns the swap fee (spec 2, section 9.1), in US dollars, scaled by 10^18. */
export function swapFee({ dexFeeUsdE18, dexImpactUsdE18, rebalancingUsdE18 }: SwapFeeParameters): bigint {
  return dexFeeUsdE18 + dexImpactUsdE18 + rebalancingUsdE18;
}

export interface AppFeeShare {
  readonly recipient: string;
  readonly feeBps: bigint;
  /** Share in US dollars, scaled by 10^18 and rounded down. */
  readonly usdE18: bigint;
}

/**
 * Returns each recipient's share of the app fees, from the value of the input (spec 2, section 9.1). App fees accrue
 * off-chain.
 *
 * @param appFees app fees of a request that `findQuoteProblem` accepts
 * @param inputUsdE18 value of the input, in US dollars, scaled by 10^18
 */
export function appFeeShares(appFees: QuoteRequest["appFees"], inputUsdE18: bigint): AppFeeShare[] {
  return (appFees ?? []).map(({ recipient, fee }) => {
    const feeBps = BigInt(fee);
    return { recipient, feeBps, usdE18: bpsOf(inputUsdE18, feeBps) };
  });
}
