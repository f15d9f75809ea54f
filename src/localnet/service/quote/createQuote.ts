import { type Address, type Hex, erc20Abi } from "viem";

import { unixSeconds } from "../../../core/clock.ts";
import { mapFees } from "../../../protocol/feeComponents.ts";
import { hashOrder } from "../../../protocol/orderId.ts";
import type { Quote } from "../../../protocol/quote.ts";
import type { QuoteRequest } from "../../../protocol/quoteRequest.ts";
import type { Feature } from "../../../protocol/requestType.ts";
import { insertRequest } from "../../../store/requests.ts";
import type { NewRequest } from "../../../store/schema.ts";
import type { ServiceContext } from "../../context.ts";
import { formatUsd } from "../../currencies.ts";
import { type Caller, hashApiKey } from "../caller.ts";
import { refuseProblem } from "../refusal.ts";
import { buildDetails, buildFees } from "./buildDetails.ts";
import { buildOrder } from "./buildOrder.ts";
import { buildSteps } from "./buildSteps.ts";
import { type Price, priceQuote } from "./priceQuote.ts";
import { deliversNative, type ResolvedQuote, resolveQuote } from "./resolveQuote.ts";

/** The tolerance of a quote that names none: 2 %, as the live service has it. */
const DEFAULT_SLIPPAGE_BPS = 200n;

/** How long an order can be filled, in seconds. */
const ORDER_LIFETIME_SECONDS = 3_600;

// Gas of a fill as the price takes it: the transaction itself, and each call of the order.
const FILL_BASE_GAS = 60_000n;
const FILL_CALL_GAS = 60_000n;

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
  const chain = await readChains(quote);
  const slippageBps =
    request.slippageTolerance === undefined ? DEFAULT_SLIPPAGE_BPS : BigInt(request.slippageTolerance);
  const price = priceOrRefuse(quote, chain.destinationGasPrice, slippageBps);

  const requestId = context.randomWord();
  const order = buildOrder({
    quote,
    price,
    solver: context.solver.address,
    salt: context.randomWord(),
    deadline: unixSeconds(context.clock) + ORDER_LIFETIME_SECONDS,
  });
  const orderId = hashOrder(order);
  const details = buildDetails({ quote, price, slippageBps, userBalance: chain.userBalance });
  await store(context, { quote, price, slippageBps, requestId, orderId, order, details, caller });
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

/** What of the two chains goes into a quote. */
interface ChainReadings {
  readonly allowance: bigint;
  readonly userBalance: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly destinationGasPrice: bigint;
}

async function readChains({ origin, destination, input, user }: ResolvedQuote): Promise<ChainReadings> {
  const token = { address: input.currency.address as Address, abi: erc20Abi };
  const isNative = input.currency.metadata.isNative;
  const [fees, destinationGasPrice, userBalance, allowance] = await Promise.all([
    origin.client.estimateFeesPerGas(),
    destination.client.getGasPrice(),
    isNative
      ? origin.client.getBalance({ address: user })
      : origin.client.readContract({ ...token, functionName: "balanceOf", args: [user] }),
    isNative
      ? 0n
      : origin.client.readContract({
          ...token,
          functionName: "allowance",
          args: [user, origin.contracts.depository],
        }),
  ]);
  return { ...fees, destinationGasPrice, userBalance, allowance };
}

function priceOrRefuse(quote: ResolvedQuote, gasPrice: bigint, slippageBps: bigint): Price {
  const { request, input, output, txs, callValue } = quote;
  const gas = FILL_BASE_GAS + FILL_CALL_GAS * BigInt(txs.length);
  const price = priceQuote({
    tradeType: request.tradeType,
    amount: BigInt(request.amount),
    input,
    output,
    native: quote.destinationNative,
    // Where the native currency is delivered the calls are paid from it; else the solver pays them beside it.
    fillCost: gas * gasPrice + (deliversNative(quote) ? 0n : callValue),
    slippageBps,
    appFeeBps: (request.appFees ?? []).reduce((sum, { fee }) => sum + BigInt(fee), 0n),
  });
  if (price === undefined) {
    throw refuseProblem({
      errorCode: "AMOUNT_TOO_LOW",
      field: "amount",
      value: request.amount,
      reason: "the fees are more than it is worth",
      cure: "Give a larger amount.",
    });
  }
  if (deliversNative(quote) && callValue > price.minimumOutput) {
    throw refuseProblem({
      errorCode: "INVALID_EXTRA_TXS",
      field: "txs",
      value: callValue.toString(),
      reason: `the calls' values add up to more than the ${price.minimumOutput} wei that are delivered at least`,
      cure: "Lower the values, send more, or use EXACT_OUTPUT.",
    });
  }
  return price;
}

interface QuotedRequest {
  readonly quote: ResolvedQuote;
  readonly price: Price;
  readonly slippageBps: bigint;
  readonly requestId: Hex;
  readonly orderId: Hex;
  readonly order: ReturnType<typeof buildOrder>;
  readonly details: Quote["details"];
  readonly caller: Caller | undefined;
}

async function store(context: ServiceContext, quoted: QuotedRequest): Promise<void> {
  const { quote, price, details, order, caller } = quoted;
  const { request, input, output } = quote;
  const now = new Date(context.clock.now());
  const row: NewRequest = {
    id: quoted.requestId,
    order_id: quoted.orderId,
    status: "waiting",
    user: quote.user,
    recipient: quote.recipient,
    refund_to: quote.refundTo,
    request_type: requestType(quote),
    origin_chain_id: quote.origin.id,
    destination_chain_id: quote.destination.id,
    origin_currency: input.currency.address,
    destination_currency: output.currency.address,
    referrer: request.referrer ?? null,
    fail_reason: null,
    refund_fail_reason: null,
    api_key_hash: caller === undefined ? null : hashApiKey(caller.apiKey),
    origin_symbol: input.currency.symbol,
    destination_symbol: output.currency.symbol,
    amount_usd: details.currencyIn.amountUsd,
    app_fees_usd: formatUsd(price.fees.app),
    features: usedFeatures(request),
    created_at: now,
    updated_at: now,
  };
  await insertRequest(context.store.db, row, {
    trade_type: request.tradeType,
    input_amount: price.inputAmount,
    minimum_output_amount: price.minimumOutput,
    expected_output_amount: price.expectedOutput,
    slippage_tolerance_bps: Number(quoted.slippageBps),
    order_data: JSON.stringify(order),
    details: JSON.stringify(details),
    fees: JSON.stringify(mapFees(price.fees, String)),
    app_fees: JSON.stringify((request.appFees ?? []).map(({ recipient, fee }) => ({ recipient, bps: fee }))),
  });
}

/** The features that this network has; the others take part in no request of it. */
function usedFeatures({ appFees = [] }: QuoteRequest): Feature[] {
  return appFees.length > 0 ? ["app_fees"] : [];
}

function requestType({ input, output, txs }: ResolvedQuote): string {
  if (txs.length > 0) return "Call";
  return input.currency.symbol === output.currency.symbol ? "Bridge" : "Crosschain Swap";
}
