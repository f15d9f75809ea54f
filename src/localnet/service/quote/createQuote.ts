import { unixSeconds } from "../../../core/clock.ts";
import { hashOrder } from "../../../protocol/orderId.ts";
import type { Quote } from "../../../protocol/quote.ts";
import type { QuoteRequest } from "../../../protocol/quoteRequest.ts";
import type { ServiceContext } from "../../context.ts";
import type { Caller } from "../../keys/keyRing.ts";
import { isInventory } from "../../inventory.ts";
import { refuseProblem } from "../refusal.ts";
import { buildDetails, buildFees } from "./buildDetails.ts";
import { buildOrder } from "./buildOrder.ts";
import { buildSteps } from "./buildSteps.ts";
import { priceSwapped, type SwappedPrice } from "./priceSwapped.ts";
import { readChains } from "./readChains.ts";
import { requireSponsor } from "./requireSponsor.ts";
import { deliversNative, type ResolvedQuote, resolveQuote } from "./resolveQuote.ts";
import { storeQuote } from "./storeQuote.ts";

/** The tolerance of a quote that names none: 2 %, as the live service has it. */
const DEFAULT_SLIPPAGE_BPS = 200n;

// Gas of a fill as the price takes it: the transaction itself, each call of the order, and a swap for its output.
const FILL_BASE_GAS = 60_000n;
const FILL_CALL_GAS = 60_000n;
const FILL_SWAP_GAS = 250_000n;

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
  const quote = resolveQuote(context, request);
  await requireSponsor(context, request, caller);
  const chain = await readChains(quote);
  const slippageBps =
    request.slippageTolerance === undefined ? DEFAULT_SLIPPAGE_BPS : BigInt(request.slippageTolerance);
  const { price, quoted: swap } = await priceOrRefuse(context, quote, chain.destinationGasPrice, slippageBps);

  const requestId = context.randomWord();
  const order = buildOrder({
    quote,
    price,
    solver: context.solver.address,
    salt: context.randomWord(),
    deadline: unixSeconds(context.clock) + context.quoteTtlMs / 1_000,
  });
  const orderId = hashOrder(order);
  const details = buildDetails({ quote, price, swap, slippageBps, userBalance: chain.userBalance });
  await storeQuote(context, { quote, price, slippageBps, requestId, orderId, order, details, caller });
  return {
    steps: buildSteps({ quote, requestId, orderId, inputAmount: price.inputAmount, ...chain }),
    fees: buildFees({ quote, price }, DEPOSIT_GAS * chain.maxFeePerGas),
    details,
    protocol: {
      v2: {
        orderId,
        orderData: order,
        paymentDetails: {
          chainId: quote.origin.protocolChainId,
          depository: quote.origin.contracts.depository,
          currency: quote.input.currency.address,
          amount: price.inputAmount.toString(),
        },
      },
    },
  };
}

async function priceOrRefuse(
  { currencies }: ServiceContext,
  quote: ResolvedQuote,
  gasPrice: bigint,
  slippageBps: bigint,
): Promise<SwappedPrice> {
  const { request, input, output, txs, callValue } = quote;
  const isSwapped = !isInventory(quote.destination.contracts, output.currency.address);
  const gas = FILL_BASE_GAS + FILL_CALL_GAS * BigInt(txs.length) + (isSwapped ? FILL_SWAP_GAS : 0n);
  const swapped = await priceSwapped(quote, currencies, {
    tradeType: request.tradeType,
    amount: BigInt(request.amount),
    input,
    output,
    native: quote.destinationNative,
    // Where the native currency is delivered the calls are paid from it; else the solver pays them beside it.
    fillCost: gas * gasPrice + (deliversNative(quote) ? 0n : callValue),
    slippageBps,
    sponsorship: request,
    appFeeBps: (request.appFees ?? []).reduce((sum, { fee }) => sum + BigInt(fee), 0n),
  });
  if (swapped === undefined) {
    throw refuseProblem({
      errorCode: "AMOUNT_TOO_LOW",
      field: "amount",
      value: request.amount,
      reason: "the fees are more than it is worth",
      cure: "Give a larger amount.",
    });
  }
  if (deliversNative(quote) && callValue > swapped.price.minimumOutput) {
    throw refuseProblem({
      errorCode: "INVALID_EXTRA_TXS",
      field: "txs",
      value: callValue.toString(),
      reason: `the calls' values add up to more than the ${swapped.price.minimumOutput} wei that are delivered at least`,
      cure: "Lower the values, send more, or use EXACT_OUTPUT.",
    });
  }
  return swapped;
}
