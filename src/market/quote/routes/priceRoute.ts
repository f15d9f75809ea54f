import type { QuoteProblem } from "@crosscall/sdk/internal/protocol/quote/quoteProblem";
import { isSimulated } from "../../quotedChains.ts";
import { refuseProblem } from "../../refusal.ts";
import { isEvmQuote, type ResolvedQuote } from "../resolveQuote.ts";
import { routeCrossChain, routeDepositAddress } from "./crossChain.ts";
import type { PricedRoute, RouteMarket } from "./route.ts";
import { routeSameChain } from "./sameChain.ts";
import { routeFromSimulated } from "./simulated.ts";

/**
 * Prices a request by the kind of its route: from a simulated chain, to a deposit address, on one chain, or cross-chain.
 *
 * @throws {@link RefusalError} when it cannot be quoted
 */
export async function priceRoute(market: RouteMarket, quote: ResolvedQuote): Promise<PricedRoute> {
  const { origin, destination, request } = quote;
  if (isSimulated(origin) || isSimulated(destination)) {
    const problem = findSimulatedProblem(quote);
    if (problem !== undefined) throw refuseProblem(problem);
  }
  if (isSimulated(origin)) return routeFromSimulated(market, quote, origin);
  if (request.useDepositAddress === true) return routeDepositAddress(market, { ...quote, origin });
  if (isEvmQuote(quote) && origin.id === destination.id) return routeSameChain(market, quote);
  return routeCrossChain(market, { ...quote, origin });
}

function findSimulatedProblem({ request, origin, destination }: ResolvedQuote): QuoteProblem | undefined {
  if (origin.id === destination.id) {
    return {
      errorCode: "UNSUPPORTED_ROUTE",
      field: "destinationChainId",
      value: destination.id,
      reason: "it is the origin chain, and this network does not run it",
      hint: "Choose another destination chain.",
    };
  }
  if (request.useDepositAddress !== true) return undefined;
  return {
    errorCode: "UNSUPPORTED_EXECUTION_TYPE",
    field: "useDepositAddress",
    value: true,
    reason: "deposit addresses are between chains that this network runs",
    hint: "Leave useDepositAddress out.",
  };
}
