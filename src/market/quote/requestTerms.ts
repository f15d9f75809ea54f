import type { QuoteRequest } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";

/** The slippage tolerance of a quote that names none: 2 %, as the live service has it. */
const DEFAULT_SLIPPAGE_BPS = 200n;

/** The slippage tolerance of a quote, in bps. */
export function slippageBpsOf({ slippageTolerance }: QuoteRequest): bigint {
  return slippageTolerance === undefined ? DEFAULT_SLIPPAGE_BPS : BigInt(slippageTolerance);
}

/** All app fees of a quote, in bps. */
export function appFeeBpsOf({ appFees = [] }: QuoteRequest): bigint {
  return appFees.reduce((sum, { fee }) => sum + BigInt(fee), 0n);
}
