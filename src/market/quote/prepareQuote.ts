import type { Hex } from "viem";

import { unixSeconds } from "@crosscall/sdk/internal/core/clock";
import type { Quote } from "@crosscall/sdk/internal/protocol/complete";
import type { Order } from "@crosscall/sdk/internal/protocol/order/order";
import { hashOrder } from "@crosscall/sdk/internal/protocol/order/orderId";
import { usdValue } from "../currencies.ts";
import type { Market } from "../market.ts";
import { refuseProblem } from "../refusal.ts";
import { buildDetails } from "./buildDetails.ts";
import { buildOrder } from "./buildOrder.ts";
import { fillGas } from "./fillGas.ts";
import type { Price } from "./priceQuote.ts";
import { priceSwapped, type SwappedPrice } from "./priceSwapped.ts";
import { type ChainReadings, readChains } from "./readChains.ts";
import { refuseSwapSources } from "./refuseSwapSources.ts";
import { deliversNative, type QuoteSubject, type ResolvedQuote } from "./resolveQuote.ts";
import { slippageOf } from "./slippage.ts";

// Gas that a deposit address adds on the origin chain, as the live service tells it.
const NATIVE_SWEEP_GAS = 33_000n;
const TOKEN_SWEEP_GAS = 70_000n;

/** What of a quote is stored. */
export interface StorableQuote {
  readonly quote: QuoteSubject;
  readonly price: Price;
  readonly slippageBps: bigint;
  readonly requestId: Hex;
  readonly orderId: Hex;
  readonly order: Order;
  readonly details: Quote["details"];
}

/** A quote that is priced and has its order, before it is stored. */
export interface PreparedQuote extends StorableQuote {
  readonly quote: ResolvedQuote;
  readonly chain: ChainReadings;
}

/**
 * Prices a quote request and writes its order; stores nothing.
 *
 * @param requestId of a request that is quoted anew; a fresh one when left out
 * @throws {@link RefusalError} when it cannot be quoted
 */
export async function prepareQuote(
  market: Pick<Market, "clock" | "currencies" | "quoteTtlMs" | "randomWord" | "solver">,
  quote: ResolvedQuote,
  requestId: Hex = market.randomWord(),
): Promise<PreparedQuote> {
  const chain = await readChains(quote);
  const slippageBps = slippageOf(quote.request);
  const { price, quoted: swap } = await priceOrRefuse(market, quote, chain, slippageBps);
  const order = buildOrder({
    quote,
    price,
    solver: market.solver.address,
    salt: market.randomWord(),
    deadline: unixSeconds(market.clock) + market.quoteTtlMs / 1_000,
    originRouter: quote.origin.contracts.router,
    destinationRouter: quote.destination.contracts.router,
  });
  const details = buildDetails({ quote, price, swap, slippageBps, userBalance: chain.userBalance });
  refuseSwapSources(quote.request, details.route);
  return { quote, chain, price, slippageBps, requestId, orderId: hashOrder(order), order, details };
}

async function priceOrRefuse(
  { currencies }: Pick<Market, "currencies">,
  quote: ResolvedQuote,
  chain: ChainReadings,
  slippageBps: bigint,
): Promise<SwappedPrice> {
  const { request, input, output, txs, callValue } = quote;
  const gas = fillGas(quote.destination, output, txs);
  const swapped = await priceSwapped(quote, currencies, {
    tradeType: request.tradeType,
    amount: BigInt(request.amount),
    input,
    output,
    native: quote.destinationNative,
    // Where the native currency is delivered the calls are paid from it; else the solver pays them beside it.
    fillCost: gas * chain.destinationGasPrice + (deliversNative(quote) ? 0n : callValue),
    originGasUsdE18: originGasUsd(quote, chain),
    slippageBps,
    appFeeBps: (request.appFees ?? []).reduce((sum, { fee }) => sum + BigInt(fee), 0n),
    sponsorship: request,
  });
  if (swapped === undefined) {
    throw refuseProblem({
      errorCode: "AMOUNT_TOO_LOW",
      field: "amount",
      value: request.amount,
      reason: "the fees are more than it is worth",
      hint: "Give a larger amount.",
    });
  }
  if (deliversNative(quote) && callValue > swapped.price.minimumOutput) {
    throw refuseProblem({
      errorCode: "INVALID_EXTRA_TXS",
      field: "txs",
      value: callValue.toString(),
      reason: `the calls' values add up to more than the ${swapped.price.minimumOutput} wei that are delivered at least`,
      hint: "Lower the values, send more, or use EXACT_OUTPUT.",
    });
  }
  return swapped;
}

/** Gas on the origin chain that the service pays and not the user. */
function originGasUsd({ request, input, originNative }: ResolvedQuote, chain: ChainReadings): bigint {
  if (request.useDepositAddress !== true) return 0n;
  const gas = input.currency.metadata.isNative ? NATIVE_SWEEP_GAS : TOKEN_SWEEP_GAS;
  return usdValue(gas * chain.maxFeePerGas, originNative);
}
