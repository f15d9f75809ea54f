import type { Quote } from "@crosscall/sdk/internal/protocol/complete";
import type { QuoteRequest } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";
import { depositAccount } from "../depositAccount.ts";
import type { Market } from "../market.ts";
import { depositoryOf } from "../quotedChains.ts";
import { refuseIf } from "../refusal.ts";
import { buildFees } from "./buildDetails.ts";
import { findUnsupportedField } from "./findUnsupportedField.ts";
import { prepareQuote, type PreparedQuote } from "./prepareQuote.ts";
import { requireSponsor } from "./requireSponsor.ts";
import { resolveQuote } from "./resolveQuote.ts";
import { findRestriction, readRestrictions } from "./restrictions.ts";
import { storeQuote } from "./storeQuote.ts";

/**
 * Prices a quote request, and stores the request that it makes.
 *
 * @param apiKeyHash hash of the caller's API key, or null
 * @throws {@link RefusalError} when it cannot be quoted; nothing is stored then
 */
export async function createQuote(market: Market, request: QuoteRequest, apiKeyHash: string | null): Promise<Quote> {
  refuseIf(findUnsupportedField(request));
  refuseIf(findRestriction(await readRestrictions(market), request));
  const quote = resolveQuote(market, request);
  await requireSponsor(market, request, apiKeyHash);
  const prepared = await prepareQuote(market, quote);
  const { route, requestId, details } = prepared;
  const steps = await route.buildSteps(prepared);
  const protocol = route.sameChainRouter === undefined ? await protocolOf(market, prepared) : undefined;
  const depositAddress = request.useDepositAddress === true ? depositAccount(requestId).address : null;
  await storeQuote(market, prepared, { apiKeyHash, depositAddress });
  const fees = buildFees({ quote, price: route.price }, route.originGas);
  return { steps, fees, details, ...(protocol === undefined ? {} : { protocol }) };
}

/** The order as the settlement protocol has it and, where the request asks for it, the solver's signature over its id. */
async function protocolOf(
  { solver }: Pick<Market, "solver">,
  { quote, route, order, orderId }: PreparedQuote,
): Promise<NonNullable<Quote["protocol"]>> {
  const isSigned = quote.request.includeProtocolData === true;
  return {
    v2: {
      orderId,
      hubType: "onchain",
      ...(isSigned ? { orderSignature: await solver.signMessage({ message: { raw: orderId } }) } : {}),
      orderData: order,
      paymentDetails: {
        chainId: quote.origin.protocolChainId,
        depository: depositoryOf(quote.origin),
        currency: quote.input.currency.address,
        amount: route.price.inputAmount.toString(),
      },
    },
  };
}
