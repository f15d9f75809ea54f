import { formatAmount } from "@crosscall/protocol/encoding";
import type { Amount, QuoteDetails, QuoteFees, QuoteRoute } from "@crosscall/protocol/complete";
import { mapFees, sumFees, toQuoteFees } from "@crosscall/protocol/fees";
import type { SponsoredFees } from "@crosscall/protocol/quote/rules";
import { amountWorth, formatUsd, type PricedCurrency, roundUsd, usdValue } from "../currencies.ts";
import { requestTypeOf } from "../requestKind.ts";
import { addUserCost, roundFees } from "../roundFees.ts";
import type { OriginSwap, Price } from "./priceQuote.ts";
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
  /** Exchange of a same-chain request, whose route has no destination. */
  readonly sameChainRouter?: string;
}

/** Builds an amount object (spec 1, section 2.4). */
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

/** Builds `details` (spec 2, section 2.1). */
export function buildDetails(parameters: DetailParameters): QuoteDetails {
  const { quote, price, slippageBps, userBalance, sameChainRouter } = parameters;
  const { input, output } = quote;
  const inputUsd = usdValue(price.inputAmount, input);
  const written = writtenFees({ quote, price });
  const fees = mapFees(written.components, (fee) => ({ usd: formatUsd(-fee.totalUsdE18) }));
  // Matches the live service, which does not subtract the sponsor's part.
  const totalUsdE18 = sumFees(mapFees(written.components, (fee) => fee.totalUsdE18));
  const currencyIn = amountObject(price.inputAmount, input, price.inputAmount);
  const currencyOut = amountObject(price.expectedOutput, output, price.minimumOutput);
  const { fixedRateUsdE18, originSwap } = price;
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
    refundCurrency:
      originSwap === undefined
        ? currencyIn
        : amountObject(originSwap.depositAmount, originSwap.holding, originSwap.depositAmount),
    ...(price.gasTopup === undefined
      ? {}
      : { currencyGasTopup: amountObject(price.gasTopup, quote.destinationNative) }),
    totalImpact: {
      usd: formatUsd(-totalUsdE18),
      percent: formatPercent(-totalUsdE18, inputUsd),
    },
    swapImpact: { usd: fees.swap.usd, percent: formatPercent(-unsponsoredSwap(price) - price.fees.swap, inputUsd) },
    expandedPriceImpact: {
      ...toQuoteFees(fees),
      ...(isSponsored(quote) ? { sponsored: { usd: formatUsd(written.sponsoredTotalUsdE18) } } : {}),
    },
    rate: rateOf(price.inputAmount, input, price.expectedOutput, output),
    slippageTolerance: {
      total: slippageBps.toString(),
      ...(sameChainRouter === undefined
        ? { origin: originSwap === undefined ? noSlippage : swapSlippage(originSwap), destination: outputSlippage }
        : { origin: outputSlippage, destination: noSlippage }),
    },
    timeEstimate: TIME_ESTIMATE_SECONDS,
    userBalance: userBalance.toString(),
    isFixedRate: fixedRateUsdE18 !== undefined,
    ...(fixedRateUsdE18 === undefined ? {} : { fixedRateFee: { usd: formatUsd(-fixedRateUsdE18) } }),
    route: routeOf(parameters, currencyIn, currencyOut),
  };
}

/** Returns the slippage of a swap before the deposit. The deposit is the swap's minimum output. */
function swapSlippage({ swap, holding, depositAmount }: OriginSwap) {
  const value = swap.amountOut - depositAmount;
  const percent = formatPercent(value, swap.amountOut);
  return { usd: formatUsd(usdValue(value, holding)), value: value.toString(), percent };
}

/** Returns swap costs that no sponsor pays: of a fixed rate, and of a swap before the deposit. */
function unsponsoredSwap({ fixedRateUsdE18 = 0n, originSwap }: Price): bigint {
  return (originSwap?.lossUsdE18 ?? 0n) - fixedRateUsdE18;
}

function routeOf(
  { price, swap, sameChainRouter }: DetailParameters,
  currencyIn: Amount,
  currencyOut: Amount,
): QuoteRoute {
  if (sameChainRouter !== undefined) {
    return { origin: { inputCurrency: currencyIn, outputCurrency: currencyOut, router: sameChainRouter } };
  }
  const { originSwap } = price;
  return {
    origin: {
      inputCurrency: currencyIn,
      outputCurrency:
        originSwap === undefined
          ? currencyIn
          : amountObject(originSwap.swap.amountOut, originSwap.holding, originSwap.depositAmount),
      router: originSwap?.swap.source ?? LOCAL_ROUTER_NAME,
    },
    destination: {
      inputCurrency: swap === undefined ? currencyOut : amountObject(swap.amountIn, swap.inventory, swap.amountIn),
      outputCurrency: currencyOut,
      router: swap?.source ?? LOCAL_ROUTER_NAME,
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

/** Returns the fees of a quote as written. The components add up exactly to the difference between the amounts. */
export function writtenFees({ quote, price }: Pick<DetailParameters, "quote" | "price">): SponsoredFees {
  const [inputUsd, outputUsd] = [
    usdValue(price.inputAmount, quote.input),
    usdValue(price.expectedOutput, quote.output),
  ];
  const exact = addUserCost(price.sponsored, "execution", price.passThroughUsdE18);
  // The difference between the fixed rate and the market rate counts as a swap fee.
  const fees = addUserCost(exact, "swap", unsponsoredSwap(price));
  return roundFees(fees, roundUsd(inputUsd) - roundUsd(outputUsd));
}

/** Builds the deprecated `fees`, in the input currency (spec 2, section 2.1). */
export function buildFees(parameters: Pick<DetailParameters, "quote" | "price">, originGas: bigint): QuoteFees {
  const { input, originNative } = parameters.quote;
  const { components, sponsoredTotalUsdE18 } = writtenFees(parameters);
  const { swap, execution, platform, app } = mapFees(components, (fee) => fee.totalUsdE18);
  const [gas, service] = [amountWorth(execution, input), amountWorth(swap + platform, input)];
  const inInput = (usdE18: bigint, amount = amountWorth(usdE18, input)): Amount => ({
    ...amountObject(amount, input, amount),
    amountUsd: formatUsd(usdE18),
  });
  return {
    gas: amountObject(originGas, originNative, originGas),
    relayer: inInput(execution + swap + platform, gas + service),
    relayerGas: inInput(execution, gas),
    relayerService: inInput(swap + platform, service),
    app: inInput(app),
    subsidized: inInput(sponsoredTotalUsdE18),
  };
}

export function isSponsored({ request }: Pick<ResolvedQuote, "request">): boolean {
  return (
    request.subsidizeFees === true || request.sponsoredFeeComponents !== undefined || request.fixedRate !== undefined
  );
}

/** Returns the whole units of output per whole unit of input, with 18 digits. */
export function rateOf(
  inputAmount: bigint,
  input: PricedCurrency,
  outputAmount: bigint,
  output: PricedCurrency,
): string {
  if (inputAmount === 0n) return "0";
  const scale = 10n ** 18n;
  const perUnit =
    (outputAmount * 10n ** BigInt(input.currency.decimals) * scale) /
    (inputAmount * 10n ** BigInt(output.currency.decimals));
  return formatAmount(perUnit, 18);
}

/** Formats a percentage with two decimals, rounded towards zero. */
function formatPercent(part: bigint, whole: bigint): string {
  const hundredths = (part * 10_000n) / whole;
  const sign = hundredths < 0n ? "-" : "";
  const size = hundredths < 0n ? -hundredths : hundredths;
  return `${sign}${size / 100n}.${(size % 100n).toString().padStart(2, "0")}`;
}
