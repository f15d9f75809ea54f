import type { Address } from "viem";

import type { Quote } from "@crosscall/sdk/internal/protocol/complete";
import type { QuoteRequest } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";
import { depositAccount } from "../depositAccount.ts";
import type { Market } from "../market.ts";
import { refuseProblem } from "../refusal.ts";
import { SIMULATED_CHAINS } from "../simulatedChains.ts";
import { buildFees } from "./buildDetails.ts";
import { buildSteps } from "./buildSteps.ts";
import { createSameChainQuote } from "./createSameChainQuote.ts";
import { createSimulatedQuote } from "./createSimulatedQuote.ts";
import { findUnsupportedField } from "./findUnsupportedField.ts";
import { prepareQuote, type PreparedQuote } from "./prepareQuote.ts";
import { type ProtocolData, protocolDataOf } from "./protocolData.ts";
import { readRestrictions } from "./readRestrictions.ts";
import { requireSponsor } from "./requireSponsor.ts";
import { resolveQuote } from "./resolveQuote.ts";
import { findRestriction } from "./restrictions.ts";
import { storeQuote } from "./storeQuote.ts";

/** Gas of a deposit as the deprecated `fees.gas` takes it. */
const DEPOSIT_GAS = 60_000n;

/**
 * Prices a quote request, and stores the request that it makes.
 *
 * @param apiKeyHash hash of the caller's API key, or null
 * @throws {@link RefusalError} when it cannot be quoted; nothing is stored then
 */
export async function createQuote(market: Market, request: QuoteRequest, apiKeyHash: string | null): Promise<Quote> {
  const unsupported = findUnsupportedField(request);
  if (unsupported !== undefined) throw refuseProblem(unsupported);
  const restriction = findRestriction(await readRestrictions(market), request);
  if (restriction !== undefined) throw refuseProblem(restriction);
  const { originChainId, destinationChainId } = request;
  if (SIMULATED_CHAINS.has(originChainId) || SIMULATED_CHAINS.has(destinationChainId)) {
    await requireSponsor(market, request, apiKeyHash);
    return createSimulatedQuote(market, request, apiKeyHash);
  }
  const quote = resolveQuote(market, request);
  await requireSponsor(market, request, apiKeyHash);
  const isSameChain = quote.origin.id === quote.destination.id;
  if (isSameChain && request.useDepositAddress !== true) return createSameChainQuote(market, quote, apiKeyHash);
  const prepared = await prepareQuote(market, quote);
  const { requestId } = prepared;
  const depositAddress = request.useDepositAddress === true ? depositAccount(requestId).address : undefined;
  await storeQuote(market, prepared, {
    apiKeyHash,
    depositAddress: depositAddress ?? null,
  });
  return toAnswer(prepared, depositAddress, await protocolDataOf(market, request, prepared.orderId));
}

function toAnswer(prepared: PreparedQuote, depositAddress: Address | undefined, protocolData: ProtocolData): Quote {
  const { quote, chain, price, requestId, orderId, order, details } = prepared;
  const { inputAmount } = price;
  return {
    steps: buildSteps({ quote, requestId, orderId, inputAmount, depositAddress, ...chain }),
    fees: buildFees({ quote, price }, DEPOSIT_GAS * chain.maxFeePerGas),
    details,
    protocol: {
      v2: {
        orderId,
        ...protocolData,
        orderData: order,
        paymentDetails: {
          chainId: quote.origin.protocolChainId,
          depository: quote.origin.contracts.depository,
          currency: quote.input.currency.address,
          amount: inputAmount.toString(),
        },
      },
    },
  };
}
