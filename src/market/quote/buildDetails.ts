import { formatAmount } from "@crosscall/sdk/internal/core/amounts";
import type { Amount, QuoteDetails, QuoteFees, QuoteRoute } from "@crosscall/sdk/internal/protocol/complete";
import { mapFees, sumFees, toQuoteFees } from "@crosscall/sdk/internal/protocol/fees/feeComponents";
import { amountWorth, formatUsd, type PricedCurrency, usdValue } from "../currencies.ts";
import { requestTypeOf } from "../requestKind.ts";
import { swapSource } from "../swaps/swap.ts";
import type { Price } from "./priceQuote.ts";
import type { QuotedSwap } from "./priceSwapped.ts";
import type { ResolvedQuote } from "./resolveQuote.ts";

const TIME_ESTIMATE_SECONDS = 1;

const LOCAL_ROUTER_NAME = "crosscall-local";

export interface DetailParameters {
  readonly quote: ResolvedQuote;
  readonly price: Price;
  readonly swap?: QuotedSwap | undefined;
  readonly slippageBps: bigint;
  /** Smallest unit. */
  readonly userBalance: bigint;
  /** For same-chain requests, whose route has no destination. */
  readonly sameChainRouter?: string;
}

/** Spec 1, section 2.4. */
export function amountObject(amount: bigint, priced: PricedCurrency, minimumAmount?: bigint): Amount {
  const { currency } = priced;
  return {
    currency,
    amount: amount.toString(),
    amountFormatted: formatAmount(amount, currency.decimals),
    amountUsd: formatUsd(usdValue(amount, priced)),
    ...(minimumAmount === undefined ? {} : { minimumAmount: minimumAmount.toString() }),
  };
}

/** `details` (spec 2, section 2.1). */
export function buildDetails(parameters: DetailParameters): QuoteDetails {
  const { quote, price, slippageBps, userBalance, sameChainRouter } = parameters;
  const { input, output } = quote;
  const inputUsd = usdValue(price.inputAmount, input);
  const outputUsd = usdValue(price.expectedOutput, output);
  const currencyIn = amountObject(price.inputAmount, input, price.inputAmount);
  const currencyOut = amountObject(price.expectedOutput, output, price.minimumOutput);
  const slippage = price.expectedOutput - price.minimumOutput;
  const noSlippage = { usd: formatUsd(0n), value: "0", percent: "0.00" };
  const outputSlippage = {
    usd: formatUsd(usdValue(slippage, output)),
    value: slippage.toString(),
    percent: formatPercent(slippageBps, 10_000n),
  };
  return {
    operation: operationOf(quote),
    sender: quote.user,
    recipient: quote.recipient,
    currencyIn,
    currencyOut,
    refundCurrency: currencyIn,
    totalImpact: { usd: formatUsd(outputUsd - inputUsd), percent: formatPercent(outputUsd - inputUsd, inputUsd) },
    swapImpact: { usd: formatUsd(-price.fees.swap), percent: formatPercent(-price.fees.swap, inputUsd) },
    expandedPriceImpact: {
      ...toQuoteFees(mapFees(price.fees, (fee) => ({ usd: formatUsd(-fee) }))),
      ...(isSponsored(quote) ? { sponsored: { usd: formatUsd(price.sponsored.sponsoredTotalUsdE18) } } : {}),
    },
    rate: rateOf(price.inputAmount, input, price.expectedOutput, output),
    slippageTolerance:
      sameChainRouter === undefined
        ? { origin: noSlippage, destination: outputSlippage }
        : { origin: outputSlippage, destination: noSlippage },
    timeEstimate: TIME_ESTIMATE_SECONDS,
    userBalance: userBalance.toString(),
    isFixedRate: false,
    route: routeOf(parameters, currencyIn, currencyOut),
  };
}

function routeOf({ swap, sameChainRouter }: DetailParameters, currencyIn: Amount, currencyOut: Amount): QuoteRoute {
  if (sameChainRouter !== undefined) {
    return { origin: { inputCurrency: currencyIn, outputCurrency: currencyOut, router: sameChainRouter } };
  }
  return {
    origin: { inputCurrency: currencyIn, outputCurrency: currencyIn, router: LOCAL_ROUTER_NAME },
    destination: {
      inputCurrency: swap === undefined ? currencyOut : amountObject(swap.swap.amountIn, swap.inventory),
      outputCurrency: currencyOut,
      router: swap === undefined ? LOCAL_ROUTER_NAME : swapSource(swap.swap),
    },
  };
}

function operationOf(quote: ResolvedQuote): QuoteDetails["operation"] {
  switch (requestTypeOf(quote)) {
    case "Send":
      return "send";
    case "Wrap":
      return "wrap";
    case "Unwrap":
      return "unwrap";
    default:
      return quote.input.currency.symbol === quote.output.currency.symbol ? "bridge" : "swap";
  }
}

/** The deprecated `fees`, in the input currency (spec 2, section 2.1). */
export function buildFees({ quote, price }: Pick<DetailParameters, "quote" | "price">, originGas: bigint): QuoteFees {
  const { input } = quote;
  const inInput = (usdE18: bigint): Amount => amountObject(amountWorth(usdE18, input), input);
  const { swap, execution, platform, app } = price.fees;
  return {
    gas: amountObject(originGas, quote.originNative),
    relayer: inInput(sumFees({ swap, execution, platform, app: 0n })),
    relayerGas: inInput(execution),
    relayerService: inInput(swap + platform),
    app: inInput(app),
    subsidized: inInput(price.sponsored.sponsoredTotalUsdE18),
  };
}

export function isSponsored({ request }: Pick<ResolvedQuote, "request">): boolean {
  return request.subsidizeFees === true || request.sponsoredFeeComponents !== undefined;
}

/** Whole units of output per whole unit of input, with 18 digits. */
export function rateOf(
  inputAmount: bigint,
  input: PricedCurrency,
  outputAmount: bigint,
  output: PricedCurrency,
): string {
  const scale = 10n ** 18n;
  const perUnit =
    (outputAmount * 10n ** BigInt(input.currency.decimals) * scale) /
    (inputAmount * 10n ** BigInt(output.currency.decimals));
  return formatAmount(perUnit, 18);
}

/** Two digits after the point, rounded towards zero. */
function formatPercent(part: bigint, whole: bigint): string {
  const hundredths = (part * 10_000n) / whole;
  const sign = hundredths < 0n ? "-" : "";
  const size = hundredths < 0n ? -hundredths : hundredths;
  return `${sign}${size / 100n}.${(size % 100n).toString().padStart(2, "0")}`;
}
