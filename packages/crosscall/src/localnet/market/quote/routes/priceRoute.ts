import type { QuoteProblem } from "@crosscall/protocol/quote";
import { isSimulated } from "../../quotedChains.ts";
import { rejectIf } from "../../rejection.ts";
import { isEvmQuote, type ResolvedQuote } from "../resolveQuote.ts";
import { quoteCrossChain, quoteDepositAddress } from "./crossChain.ts";
import { findPermitProblem } from "./gasless.ts";
import type { PricedRoute, RouteMarket } from "./route.ts";
import { quoteSameChain } from "./sameChain.ts";
import { quoteFromSimulated } from "./simulated.ts";

/** @throws {@link RejectionError} if the request cannot be quoted */
export async function priceRoute(market: RouteMarket, quote: ResolvedQuote): Promise<PricedRoute> {
  const { origin, destination, request } = quote;
  if (!isEvmQuote(quote)) rejectIf(findSimulatedProblem(market, quote));
  rejectIf(findPermitProblem(quote));
  if (isSimulated(origin)) return quoteFromSimulated(market, quote, origin);
  if (request.useDepositAddress === true) return quoteDepositAddress(market, { ...quote, origin });
  if (isEvmQuote(quote) && origin.id === destination.id) return quoteSameChain(market, quote);
  return quoteCrossChain(market, { ...quote, origin });
}

function findSimulatedProblem(
  { ledgers }: RouteMarket,
  { request, origin, destination }: ResolvedQuote,
): QuoteProblem | undefined {
  if (origin.id === destination.id) {
    return {
      errorCode: "UNSUPPORTED_ROUTE",
      field: "destinationChainId",
      value: destination.id,
      reason: "is a simulated origin chain, which this network does not run",
      hint: "Choose another destination chain.",
    };
  }
  if (request.useDepositAddress !== true) return undefined;
  if (ledgers.get(origin.id)?.depositAddress !== undefined) {
    const field = request.strict === true ? "strict" : "recoveryAddress";
    if (field === "recoveryAddress" && request.recoveryAddress === undefined) return undefined;
    return {
      errorCode: "UNSUPPORTED_EXECUTION_TYPE",
      field,
      value: request[field],
      reason: "deposit addresses of simulated chains are open, and nothing is recovered from them",
      hint: `Omit ${field}.`,
    };
  }
  return {
    errorCode: "UNSUPPORTED_EXECUTION_TYPE",
    field: "useDepositAddress",
    value: true,
    reason: "deposit addresses require chains that this network runs",
    hint: "Omit useDepositAddress.",
  };
}
