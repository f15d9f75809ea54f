import type { QuoteRequest } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";

/** The live service's default, 2 %. */
const DEFAULT_SLIPPAGE_BPS = 200n;

export function slippageBpsOf({ slippageTolerance }: QuoteRequest): bigint {
  return slippageTolerance === undefined ? DEFAULT_SLIPPAGE_BPS : BigInt(slippageTolerance);
}

export function appFeeBpsOf({ appFees = [] }: QuoteRequest): bigint {
  return appFees.reduce((sum, { fee }) => sum + BigInt(fee), 0n);
}
