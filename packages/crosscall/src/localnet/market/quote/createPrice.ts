import type { Price } from "@crosscall/protocol/complete";
import { type PriceRequest, PriceRequestSchema } from "@crosscall/protocol/quote/rules";
import type { ChainReader, DatabaseUser, Payer, Pricer, Rebalancer } from "../market.ts";
import { rejectIf, rejectProblem } from "../rejection.ts";
import { buildFees } from "./buildDetails.ts";
import { findUnsupportedField } from "./findUnsupportedField.ts";
import { priceDetails } from "./prepareQuote.ts";
import { resolveQuote } from "./resolveQuote.ts";
import { findRestriction, readRestrictions } from "./restrictions.ts";

/**
 * Prices a request like a quote, but stores nothing.
 *
 * @throws {@link RejectionError} if it cannot be quoted
 */
export async function createPrice(
  market: Pricer & ChainReader & Payer & DatabaseUser & Rebalancer,
  body: PriceRequest,
): Promise<Price> {
  requireFieldsOfPrice(body);
  rejectIf(findUnsupportedField(body));
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

/** Rejects fields that only quotes have, because they would change the price of the quote. */
function requireFieldsOfPrice(body: PriceRequest): void {
  for (const [field, value] of Object.entries(body)) {
    if (Object.hasOwn(PriceRequestSchema.properties, field)) continue;
    throw rejectProblem({
      errorCode: "UNSUPPORTED_FIELD",
      field,
      value,
      reason: "is not a field of POST /price",
      hint: `Omit ${field}, or request a quote.`,
    });
  }
}
