import type { Price } from "@crosscall/protocol/complete";
import type { PriceRequest } from "@crosscall/protocol/quote/rules";
import type { ChainReader, DatabaseUser, LedgerUser, Payer, Pricer, Rebalancer } from "../market.ts";
import { rejectIf } from "../rejection.ts";
import { buildFees } from "./buildDetails.ts";
import { findDepositAddressProblem } from "./findDepositAddressProblem.ts";
import { priceDetails } from "./prepareQuote.ts";
import { resolveQuote } from "./resolveQuote.ts";
import { findRestriction, readRestrictions } from "./restrictions.ts";

/**
 * Prices a request like a quote, but stores nothing.
 *
 * @throws {@link RejectionError} if it cannot be quoted
 */
export async function createPrice(
  market: Pricer & ChainReader & Payer & DatabaseUser & LedgerUser & Rebalancer,
  body: PriceRequest,
): Promise<Price> {
  rejectIf(findDepositAddressProblem(body));
  rejectIf(findRestriction(await readRestrictions(market), body));
  const { quote, route, details: priced } = await priceDetails(market, resolveQuote(market, body));
  const { operation, sender, recipient, currencyIn, currencyOut, totalImpact, swapImpact } = priced;
  const { rate, slippageTolerance, timeEstimate, userBalance } = priced;
  return {
    fees: buildFees({ quote, price: route.price }, route.originGas),
    details: {
      operation,
      sender,
      recipient,
      currencyIn,
      currencyOut,
      totalImpact,
      swapImpact,
      rate,
      slippageTolerance,
      timeEstimate,
      ...(userBalance === undefined ? {} : { userBalance }),
    },
  };
}
