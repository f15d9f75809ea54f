import { SVM_CHAIN_ID } from "../chains/chainIds.ts";
import type { QuoteRequest } from "./quoteRequest.ts";

/** As in `includedOriginSwapSources`. */
export const SVM_SWAP_AGGREGATOR = "jupiter";

/** Routes to try, in this order (spec 2, section 8). */
const ROUTE_LENGTHS = [4, 3] as const;

/**
 * Variant of the route: as requested, with a limited number of hops, or only through the aggregator, which has smaller
 * instructions.
 */
export type SvmRouteVariant = "asRequested" | "maxRouteLength4" | "maxRouteLength3" | "aggregatorOnly";

export interface SvmRoute {
  readonly variant: SvmRouteVariant;
  readonly request: QuoteRequest;
}

/**
 * Returns the next request to try if the deposit is too large for an SVM transaction: at most 4 hops, then 3, then only
 * the swap aggregator (spec 2, section 8). The next request never has higher limits or more swap sources.
 * @returns undefined when no smaller route remains, or the origin is not an SVM chain
 */
export function nextSvmRoute(request: QuoteRequest): SvmRoute | undefined {
  if (request.originChainId !== SVM_CHAIN_ID) return undefined;
  const { maxRouteLength = Infinity, includedOriginSwapSources: sources } = request;
  const shorter = ROUTE_LENGTHS.find((length) => length < maxRouteLength);
  if (shorter !== undefined) {
    return { variant: `maxRouteLength${shorter}`, request: { ...request, maxRouteLength: shorter } };
  }
  if (isAggregatorOnly(sources) || sources?.includes(SVM_SWAP_AGGREGATOR) === false) return undefined;
  return { variant: "aggregatorOnly", request: { ...request, includedOriginSwapSources: [SVM_SWAP_AGGREGATOR] } };
}

function isAggregatorOnly(sources: readonly string[] | undefined): boolean {
  return sources?.length === 1 && sources[0] === SVM_SWAP_AGGREGATOR;
}
