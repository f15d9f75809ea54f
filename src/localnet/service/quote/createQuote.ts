import type { Address } from "viem";

import type { Quote } from "@crosscall/sdk/internal/protocol/complete";
import type { QuoteRequest } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";
import type { ServiceContext } from "../../context.ts";
import { depositAccount } from "../../depositAddresses/depositAccount.ts";
import type { Caller } from "../../keys/keyRing.ts";
import { createSameChainQuote } from "../../sameChain/createSameChainQuote.ts";
import { createSimulatedQuote } from "../../simulated/createSimulatedQuote.ts";
import { SIMULATED_CHAINS } from "../../simulated/simulatedChains.ts";
import { refuseProblem } from "../refusal.ts";
import { buildFees } from "./buildDetails.ts";
import { buildSteps } from "./buildSteps.ts";
import { findUnsupportedField } from "./findUnsupportedField.ts";
import { prepareQuote, type PreparedQuote } from "./prepareQuote.ts";
import { type ProtocolData, protocolDataOf } from "./protocolData.ts";
import { readRestrictions } from "./readRestrictions.ts";
import { requireSponsor } from "./requireSponsor.ts";
import { findRestriction } from "./restrictions.ts";
import { resolveQuote } from "./resolveQuote.ts";
import { storeQuote } from "./storeQuote.ts";

/** Gas of a deposit as the deprecated `fees.gas` takes it. */
const DEPOSIT_GAS = 60_000n;

/**
 * Prices a quote request, and stores the request that it makes.
 *
 * @param caller whose API key the call carries, where it carries one
 * @throws {@link RefusalError} when it cannot be quoted; nothing is stored then
 */
export async function createQuote(
  context: ServiceContext,
  request: QuoteRequest,
  caller: Caller | undefined,
): Promise<Quote> {
  const unsupported = findUnsupportedField(request);
  if (unsupported !== undefined) throw refuseProblem(unsupported);
  const restriction = findRestriction(await readRestrictions(context), request);
  if (restriction !== undefined) throw refuseProblem(restriction);
  const { originChainId, destinationChainId } = request;
  if (SIMULATED_CHAINS.has(originChainId) || SIMULATED_CHAINS.has(destinationChainId)) {
    await requireSponsor(context, request, caller);
    return createSimulatedQuote(context, request, caller);
  }
  const quote = resolveQuote(context, request);
  await requireSponsor(context, request, caller);
  const isSameChain = quote.origin.id === quote.destination.id;
  if (isSameChain && request.useDepositAddress !== true) return createSameChainQuote(context, quote, caller);
  const prepared = await prepareQuote(context, quote);
  const { requestId } = prepared;
  const depositAddress = request.useDepositAddress === true ? depositAccount(requestId).address : undefined;
  await storeQuote(context, prepared, {
    apiKeyHash: caller?.keyHash ?? null,
    depositAddress: depositAddress ?? null,
  });
  return toAnswer(prepared, depositAddress, await protocolDataOf(context, request, prepared.orderId));
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
