import type { QuoteRequest } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";

/** The tolerance of a quote that names none: 2 %, as the live service has it. */
const DEFAULT_SLIPPAGE_BPS = 200n;

/** The tolerance that a quote is made with, in bps. */
export function slippageOf({ slippageTolerance }: QuoteRequest): bigint {
  return slippageTolerance === undefined ? DEFAULT_SLIPPAGE_BPS : BigInt(slippageTolerance);
}
