import { InvalidStateError } from "@crosscall/protocol/core";
import type { Step, StepItem } from "@crosscall/protocol/complete";
import { exchangeAssetOf } from "@crosscall/protocol/quote/rules";
import type { TransferData } from "@crosscall/protocol/quote";
import { USD_MICRO, usdValue } from "../../currencies.ts";
import type { LedgerUser } from "../../market.ts";
import { rejectProblem } from "../../rejection.ts";
import type { SimulatedChain } from "../../simulatedChains.ts";
import { writtenFees } from "../buildDetails.ts";
import type { Price } from "../priceQuote.ts";
import { deliversNative, type ResolvedQuote } from "../resolveQuote.ts";
import { linkStep } from "../../nonceMapping.ts";
import { polledItem, transactionStep } from "../steps.ts";
import { priceFill } from "./priceFill.ts";
import { priceSwappedDeposit } from "./priceSwappedDeposit.ts";
import type { PricedRoute, QuoteIds, RouteMarket } from "./route.ts";
import { requireSmallDeposit, svmDeposit, svmTransactionBytes } from "./svmDeposit.ts";

export async function quoteFromSimulated(
  market: RouteMarket,
  quote: ResolvedQuote,
  origin: SimulatedChain,
): Promise<PricedRoute> {
  const { price, quoted: swap } =
    (await priceSwappedDeposit(market, quote, origin)) ?? (await priceFill(market, quote));
  const ledger = market.ledgers.get(origin.id);
  return {
    price,
    swap,
    userBalance: (await ledger?.balanceOf?.(quote.user, quote.input.currency.address)) ?? 0n,
    originGas: 0n,
    buildSteps: (ids) => buildSteps(market, quote, origin, price, ids),
  };
}

async function buildSteps(
  { ledgers }: LedgerUser,
  quote: ResolvedQuote,
  origin: SimulatedChain,
  price: Price,
  ids: QuoteIds,
): Promise<Step[]> {
  const ledger = ledgers.get(origin.id);
  const { originSwap } = price;
  const amount = originSwap?.depositAmount ?? price.inputAmount;
  const { currency } = originSwap?.holding ?? quote.input;
  const deposit = {
    user: quote.user,
    currency: currency.address,
    amount,
    swap: originSwap && {
      input: quote.input.currency.address,
      amountIn: price.inputAmount,
      pools: originSwap.swap.pools,
      maxRouteLength: quote.request.maxRouteLength,
    },
    publicKey: quote.request.additionalData?.userPublicKey,
    feePayer: quote.request.depositFeePayer,
    ...ids,
  };
  const approval = await ledger?.approvalData?.(deposit);
  const depositAddress = quote.request.useDepositAddress === true ? ledger?.depositAddress?.(ids.requestId) : undefined;
  const data =
    depositAddress === undefined
      ? ((await ledger?.depositData(deposit)) ?? depositData(quote, origin, price, ids))
      : { to: depositAddress, data: "0x" as const, value: amount.toString() };
  const step = transactionStep({
    id: "deposit",
    description: `Deposit ${quote.input.currency.symbol} on ${origin.name}`,
    requestId: ids.requestId,
    ...(depositAddress === undefined ? {} : { depositAddress }),
    items: [polledItem(ids.requestId, data)],
  });
  if (origin.vmType === "hypevm") return [linkStep(quote.user, Number(data.nonce), ids), step];
  if (approval === undefined) return [step];
  const description = `Approve ${quote.input.currency.symbol} for the deposit`;
  const items = [{ status: "incomplete" as const, data: approval }];
  return [transactionStep({ id: "approve", description, requestId: ids.requestId, items }), step];
}

function depositData(
  quote: ResolvedQuote,
  { vmType, depository }: SimulatedChain,
  price: Price,
  ids: QuoteIds,
): NonNullable<StepItem["data"]> {
  switch (vmType) {
    case "svm":
      return { ...svmData(quote, depository, price.inputAmount, ids) };
    case "lvm":
      return { ...transferData(quote, depository, price, ids) };
    case "bvm":
    case "hypevm":
    case "tvm":
      throw new InvalidStateError({ message: `quotes for ${vmType} require its ledger`, hint: "Open the ledger." });
  }
}

function svmData({ request, input }: ResolvedQuote, depository: string, amount: bigint, { orderId }: QuoteIds) {
  const data = svmDeposit({ request, depository, currency: input.currency.address, amount, orderId });
  requireSmallDeposit(svmTransactionBytes(data, request.depositFeePayer), request.maxRouteLength);
  return data;
}

/** Returns the execution fee in micro-dollars, the smallest unit of USDC. Payments of calls are not part of the fee. */
function usdcFeeOf(quote: ResolvedQuote, price: Price): number {
  const { userPaysUsdE18 } = writtenFees({ quote, price }).components.execution;
  const paidUsdE18 = deliversNative(quote) ? 0n : usdValue(quote.callValue, quote.destinationNative);
  const fee = (userPaysUsdE18 - paidUsdE18) / USD_MICRO;
  return fee > 0n ? Number(fee) : 0;
}

/** Returns a transfer in the exchange's format, with JSON numbers (spec 2, section 2.1). */
function transferData(quote: ResolvedQuote, depository: string, price: Price, { requestId }: QuoteIds): TransferData {
  const { input, request } = quote;
  const { inputAmount: amount } = price;
  if (amount > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw rejectProblem({
      errorCode: "INVALID_REQUEST",
      field: "amount",
      value: request.amount,
      reason: `transfers on the exchange chain are limited to ${Number.MAX_SAFE_INTEGER} in the smallest unit`,
      hint: "Withdraw it in parts.",
    });
  }
  const routeType = input.currency.address === "0" ? 0 : 1;
  return {
    action: {
      type: "transfer",
      parameters: {
        toAccountIndex: Number(depository),
        assetIndex: Number(exchangeAssetOf(input.currency.address)),
        fromRouteType: routeType,
        toRouteType: routeType,
        amount: Number(amount),
        usdcFee: usdcFeeOf(quote, price),
        memo: requestId,
      },
    },
  };
}
