import type { Step, StepItem } from "@crosscall/sdk/internal/protocol/complete";
import type { TransferData } from "@crosscall/sdk/internal/protocol/quote/step";
import { SVM_QUOTED_MAX_BYTES } from "@crosscall/sdk/internal/protocol/quote/svmTransactionSize";
import { refuseProblem } from "../../refusal.ts";
import type { SimulatedChain } from "../../simulatedChains.ts";
import type { ResolvedQuote } from "../resolveQuote.ts";
import { polledItem, transactionStep } from "../steps.ts";
import { priceFill } from "./priceFill.ts";
import type { PricedRoute, QuoteIds, RouteMarket } from "./route.ts";
import { svmDeposit, svmTransactionBytes } from "./svmDeposit.ts";

export async function quoteFromSimulated(
  { currencies }: RouteMarket,
  quote: ResolvedQuote,
  origin: SimulatedChain,
): Promise<PricedRoute> {
  const { price, quoted: swap } = await priceFill(currencies, quote);
  return {
    price,
    swap,
    userBalance: 0n,
    originGas: 0n,
    buildSteps: (ids) => [depositStep(quote, origin, price.inputAmount, ids)],
  };
}

function depositStep(quote: ResolvedQuote, origin: SimulatedChain, amount: bigint, ids: QuoteIds): Step {
  return transactionStep({
    id: "deposit",
    description: `Deposit ${quote.input.currency.symbol} on ${origin.name}`,
    requestId: ids.requestId,
    items: [polledItem(ids.requestId, depositData(quote, origin, amount, ids))],
  });
}

function depositData(
  quote: ResolvedQuote,
  { vmType, depository }: SimulatedChain,
  amount: bigint,
  ids: QuoteIds,
): NonNullable<StepItem["data"]> {
  switch (vmType) {
    case "svm":
      return { ...svmData(quote, depository, amount, ids) };
    case "lvm":
      return { ...transferData(quote, depository, amount, ids) };
  }
}

function svmData({ request, input }: ResolvedQuote, depository: string, amount: bigint, { orderId }: QuoteIds) {
  const data = svmDeposit({ request, depository, currency: input.currency.address, amount, orderId });
  const bytes = svmTransactionBytes(data);
  if (bytes <= SVM_QUOTED_MAX_BYTES) return data;
  throw refuseProblem({
    errorCode: "SOLANA_TX_TOO_LARGE",
    field: "maxRouteLength",
    value: request.maxRouteLength,
    reason: `the deposit would take ${bytes} bytes; ${SVM_QUOTED_MAX_BYTES} is the limit that leaves room for the wallet's instructions`,
    hint: "Set maxRouteLength to 4, then to 3; then includedOriginSwapSources to the swap aggregator alone.",
  });
}

/** The exchange's own transfer, with JSON numbers (spec 2, section 2.1). */
function transferData(
  { input, request }: ResolvedQuote,
  depository: string,
  amount: bigint,
  { requestId }: QuoteIds,
): TransferData {
  if (amount > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw refuseProblem({
      errorCode: "INVALID_REQUEST",
      field: "amount",
      value: request.amount,
      reason: `transfers on the exchange chain are limited to ${Number.MAX_SAFE_INTEGER} of the smallest unit`,
      hint: "Withdraw it in parts.",
    });
  }
  const routeType = input.currency.address === "0" ? 0 : 1;
  return {
    action: {
      type: "transfer",
      parameters: {
        toAccountIndex: Number(depository),
        assetIndex: Number(input.currency.address),
        fromRouteType: routeType,
        toRouteType: routeType,
        amount: Number(amount),
        usdcFee: 0,
        memo: requestId,
      },
    },
  };
}
