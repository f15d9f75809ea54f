import type { QuoteRequest } from "../../../protocol/quoteRequest.ts";
import type { Feature, RequestType } from "../../../protocol/requestType.ts";
import type { ResolvedQuote } from "./resolveQuote.ts";

/** What a request does (spec 1, section 2.1). */
export function requestTypeOf({ input, output, txs }: Pick<ResolvedQuote, "input" | "output" | "txs">): RequestType {
  if (txs.length > 0) return "Call";
  return input.currency.symbol === output.currency.symbol ? "Bridge" : "Crosschain Swap";
}

/** The features that a request uses of those that this network has. */
export function featuresOf({ appFees = [] }: QuoteRequest): Feature[] {
  return appFees.length > 0 ? ["app_fees"] : [];
}
