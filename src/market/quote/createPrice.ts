import * as Type from "typebox";

import { QuoteDetailsSchema, QuoteFeesSchema } from "@crosscall/sdk/internal/protocol/quote/quote";
import { QuoteRequestSchema } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";
import type { Market } from "../market.ts";
import { refuseIf, refuseProblem } from "../refusal.ts";
import { buildFees } from "./buildDetails.ts";
import { findUnsupportedField } from "./findUnsupportedField.ts";
import { priceDetails } from "./prepareQuote.ts";
import { resolveQuote } from "./resolveQuote.ts";
import { findRestriction, readRestrictions } from "./restrictions.ts";

const request = QuoteRequestSchema.properties;
const details = QuoteDetailsSchema.properties;

/** The fields of a quote request that `POST /price` has. */
export const PriceRequestSchema = Type.Object(
  {
    user: request.user,
    recipient: request.recipient,
    originChainId: request.originChainId,
    destinationChainId: request.destinationChainId,
    originCurrency: request.originCurrency,
    destinationCurrency: request.destinationCurrency,
    amount: request.amount,
    tradeType: request.tradeType,
    txs: request.txs,
    referrer: request.referrer,
    refundTo: request.refundTo,
    refundOnOrigin: request.refundOnOrigin,
    useExternalLiquidity: request.useExternalLiquidity,
    useFallbacks: request.useFallbacks,
    usePermit: request.usePermit,
    useDepositAddress: request.useDepositAddress,
    slippageTolerance: request.slippageTolerance,
    appFees: request.appFees,
  },
  { description: "What to price." },
);

export type PriceRequest = Type.Static<typeof PriceRequestSchema>;

/** A quote without steps, order and requestId. */
export const PriceSchema = Type.Object(
  {
    fees: QuoteFeesSchema,
    details: Type.Object({
      operation: details.operation,
      sender: details.sender,
      recipient: details.recipient,
      currencyIn: details.currencyIn,
      currencyOut: details.currencyOut,
      totalImpact: details.totalImpact,
      swapImpact: details.swapImpact,
      rate: details.rate,
      slippageTolerance: details.slippageTolerance,
      timeEstimate: details.timeEstimate,
      userBalance: details.userBalance,
    }),
  },
  { description: "A price." },
);

export type PriceResponse = Type.Static<typeof PriceSchema>;

/**
 * Prices a request as a quote does, and stores nothing.
 *
 * @throws {@link RefusalError} if it cannot be quoted
 */
export async function createPrice(
  market: Pick<Market, "chains" | "currencies" | "rebalancingBps" | "solver" | "store">,
  body: PriceRequest,
): Promise<PriceResponse> {
  requireFieldsOfPrice(body);
  refuseIf(findUnsupportedField(body));
  refuseIf(findRestriction(await readRestrictions(market), body));
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

/** A field that only quotes have would change the price there. */
function requireFieldsOfPrice(body: PriceRequest): void {
  for (const [field, value] of Object.entries(body)) {
    if (Object.hasOwn(PriceRequestSchema.properties, field)) continue;
    throw refuseProblem({
      errorCode: "UNSUPPORTED_FIELD",
      field,
      value,
      reason: "is not a field of POST /price",
      hint: `Omit ${field}, or request a quote.`,
    });
  }
}
