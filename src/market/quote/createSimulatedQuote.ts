import type { Hex } from "viem";

import { EXCHANGE_CHAIN_ID, SVM_CHAIN_ID } from "@crosscall/sdk/internal/chains/chainIds";
import { unixSeconds } from "@crosscall/sdk/internal/core/clock";
import type { Quote, Step, StepItem } from "@crosscall/sdk/internal/protocol/complete";
import { hashOrder } from "@crosscall/sdk/internal/protocol/order/orderId";
import { EXCHANGE_ACTIVATION_USD_E18 } from "@crosscall/sdk/internal/protocol/quote/feeRules";
import type { QuoteRequest } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";
import type { TransferData } from "@crosscall/sdk/internal/protocol/quote/step";
import { SVM_QUOTED_MAX_BYTES } from "@crosscall/sdk/internal/protocol/quote/svmTransactionSize";
import type { Market } from "../market.ts";
import { refuseProblem } from "../refusal.ts";
import { buildDetails, buildFees } from "./buildDetails.ts";
import { buildOrder } from "./buildOrder.ts";
import { buildSteps } from "./buildSteps.ts";
import { fillGas } from "./fillGas.ts";
import { type Price, type PriceParameters, priceQuote } from "./priceQuote.ts";
import { priceSwapped, type SwappedPrice } from "./priceSwapped.ts";
import { protocolDataOf } from "./protocolData.ts";
import { readOrigin } from "./readChains.ts";
import { refuseSwapSources } from "./refuseSwapSources.ts";
import { deliversNative } from "./resolveQuote.ts";
import { resolveSimulated, type SimulatedQuote } from "./resolveSimulated.ts";
import { slippageOf } from "./slippage.ts";
import { storeQuote } from "./storeQuote.ts";
import { svmDeposit, svmTransactionBytes } from "./svmDeposit.ts";

/** Gas of a deposit as the deprecated `fees.gas` takes it, on a chain that is run. */
const DEPOSIT_GAS = 60_000n;

const CHECK_ACTION = "Confirm transaction in your wallet";

/**
 * Quotes a request from or to a chain that is not run, and stores it.
 *
 * @throws {@link RefusalError} when it cannot be quoted; nothing is stored then
 */
export async function createSimulatedQuote(
  market: Market,
  request: QuoteRequest,
  apiKeyHash: string | null,
): Promise<Quote> {
  const quote = resolveSimulated(market, request);
  const { from, to } = quote;
  const slippageBps = slippageOf(request);
  const readings = from.isRun ? await readOrigin({ ...quote, origin: from.chain }) : undefined;
  const { price, quoted: swap } = await priceOrRefuse(market, quote, slippageBps);
  const requestId = market.randomWord();
  const order = buildOrder({
    quote,
    price,
    solver: market.solver.address,
    salt: market.randomWord(),
    deadline: unixSeconds(market.clock) + market.quoteTtlMs / 1_000,
    originRouter: from.isRun ? from.chain.contracts.router : undefined,
    destinationRouter: to.isRun ? to.chain.contracts.router : undefined,
  });
  const orderId = hashOrder(order);
  const steps =
    from.isRun && readings !== undefined
      ? buildSteps({
          ...readings,
          quote: { ...quote, origin: from.chain },
          requestId,
          orderId,
          inputAmount: price.inputAmount,
        })
      : [simulatedStep(quote, price, requestId, orderId)];
  const details = buildDetails({ quote, price, swap, slippageBps, userBalance: readings?.userBalance ?? 0n });
  refuseSwapSources(request, details.route);
  await storeQuote(
    market,
    { quote, price, slippageBps, requestId, orderId, order, details },
    { apiKeyHash, depositAddress: null },
  );
  return {
    steps,
    fees: buildFees({ quote, price }, DEPOSIT_GAS * (readings?.maxFeePerGas ?? 0n)),
    details,
    protocol: {
      v2: {
        orderId,
        ...(await protocolDataOf(market, request, orderId)),
        orderData: order,
        paymentDetails: {
          chainId: quote.origin.protocolChainId,
          depository: from.isRun ? from.chain.contracts.depository : from.chain.depository,
          currency: quote.input.currency.address,
          amount: price.inputAmount.toString(),
        },
      },
    },
  };
}

async function priceOrRefuse(
  market: Pick<Market, "currencies">,
  quote: SimulatedQuote,
  slippageBps: bigint,
): Promise<SwappedPrice> {
  const { request, input, output, to, txs, callValue } = quote;
  const parameters: PriceParameters = {
    tradeType: request.tradeType,
    amount: BigInt(request.amount),
    input,
    output,
    native: quote.destinationNative,
    fillCost: to.isRun
      ? fillGas(to.chain, output, txs) * (await to.chain.client.getGasPrice()) +
        (deliversNative(quote) ? 0n : callValue)
      : to.chain.fillCost,
    slippageBps,
    appFeeBps: (request.appFees ?? []).reduce((sum, { fee }) => sum + BigInt(fee), 0n),
    sponsorship: request,
    ...(to.chain.id === EXCHANGE_CHAIN_ID ? { passThroughUsdE18: EXCHANGE_ACTIVATION_USD_E18 } : {}),
  };
  const swapped = to.isRun
    ? await priceSwapped({ request, destination: to.chain }, market.currencies, parameters)
    : toSwapped(priceQuote(parameters));
  if (swapped !== undefined) return swapped;
  throw refuseProblem({
    errorCode: "AMOUNT_TOO_LOW",
    field: "amount",
    value: request.amount,
    reason: "the fees are more than it is worth",
    hint: "Give a larger amount.",
  });
}

function toSwapped(price: Price | undefined): SwappedPrice | undefined {
  return price && { price, quoted: undefined };
}

function simulatedStep(quote: SimulatedQuote, { inputAmount }: Price, requestId: Hex, orderId: Hex): Step {
  const data: StepItem["data"] =
    quote.origin.id === SVM_CHAIN_ID
      ? { ...svmData(quote, inputAmount, orderId) }
      : { ...transferData(quote, inputAmount, requestId) };
  return {
    id: "deposit",
    action: CHECK_ACTION,
    description: `Deposit ${quote.input.currency.symbol} on ${quote.origin.name}`,
    kind: "transaction",
    requestId,
    depositAddress: "",
    items: [
      {
        status: "incomplete",
        data,
        check: { endpoint: `/intents/status/v3?requestId=${requestId}`, method: "GET" },
      },
    ],
  };
}

function svmData({ request, from, input }: SimulatedQuote, amount: bigint, orderId: Hex) {
  const depository = from.isRun ? "" : from.chain.depository;
  const data = svmDeposit({ request, depository, currency: input.currency.address, amount, orderId });
  const bytes = svmTransactionBytes(data);
  if (bytes <= SVM_QUOTED_MAX_BYTES) return data;
  throw refuseProblem({
    errorCode: "SOLANA_TX_TOO_LARGE",
    field: "maxRouteLength",
    value: request.maxRouteLength,
    reason: `the deposit would take ${bytes} bytes, and ${SVM_QUOTED_MAX_BYTES} leave room for a wallet's own`,
    hint: "Set maxRouteLength to 4, then to 3; then includedOriginSwapSources to the swap aggregator alone.",
  });
}

/** The exchange's own transfer; its numbers are JSON numbers (spec 2, section 2.1). */
function transferData({ from, input, request }: SimulatedQuote, inputAmount: bigint, requestId: Hex): TransferData {
  if (inputAmount > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw refuseProblem({
      errorCode: "INVALID_REQUEST",
      field: "amount",
      value: request.amount,
      reason: `a transfer on the exchange chain carries at most ${Number.MAX_SAFE_INTEGER} of the smallest unit`,
      hint: "Withdraw it in parts.",
    });
  }
  const routeType = input.currency.address === "0" ? 0 : 1;
  return {
    action: {
      type: "transfer",
      parameters: {
        toAccountIndex: Number(from.isRun ? 0 : from.chain.depository),
        assetIndex: Number(input.currency.address),
        fromRouteType: routeType,
        toRouteType: routeType,
        amount: Number(inputAmount),
        usdcFee: 0,
        memo: requestId,
      },
    },
  };
}
