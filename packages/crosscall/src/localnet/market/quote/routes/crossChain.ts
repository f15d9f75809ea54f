import type { Address } from "viem";

import { usdValue } from "../../currencies.ts";
import { depositAccount } from "../../../devchain/accounts.ts";
import type { SwappedPrice } from "../priceSwapped.ts";
import { type OriginReadings, readOrigin } from "../readOrigin.ts";
import { originGasOverheadOf } from "../requestTerms.ts";
import type { EvmOriginQuote } from "../resolveQuote.ts";
import { buildSteps } from "../steps.ts";
import { gaslessGas } from "./gasless.ts";
import { priceFill } from "./priceFill.ts";
import type { PricedRoute, QuoteIds, RouteMarket } from "./route.ts";

/** Gas of a deposit, for the deprecated `fees.gas`. */
const DEPOSIT_GAS = 60_000n;

// Gas that a deposit address adds on the origin chain, as on the live service.
const NATIVE_SWEEP_GAS = 33_000n;
const TOKEN_SWEEP_GAS = 70_000n;

export async function quoteCrossChain(market: RouteMarket, quote: EvmOriginQuote): Promise<PricedRoute> {
  const readings = await readOrigin(quote);
  const priced = await priceFill(market, quote, gasWorth(quote, readings, gaslessGas(quote.request)));
  return depositRoute(quote, readings, priced);
}

/** Quotes a deposit address: the user pays by plain transfer to a new address, and the service sweeps it. */
export async function quoteDepositAddress(market: RouteMarket, quote: EvmOriginQuote): Promise<PricedRoute> {
  const readings = await readOrigin(quote);
  const gas = quote.input.currency.metadata.isNative ? NATIVE_SWEEP_GAS : TOKEN_SWEEP_GAS;
  const priced = await priceFill(market, quote, gasWorth(quote, readings, gas));
  return depositRoute(quote, readings, priced, ({ requestId }) => depositAccount(requestId).address);
}

/** Returns the value of the gas on the origin chain that the service pays, in US dollars, scaled by 10^18. */
function gasWorth(quote: EvmOriginQuote, { maxFeePerGas }: OriginReadings, gas: bigint): bigint {
  return usdValue((gas + originGasOverheadOf(quote.request)) * maxFeePerGas, quote.originNative);
}

function depositRoute(
  quote: EvmOriginQuote,
  readings: OriginReadings,
  { price, quoted: swap }: SwappedPrice,
  depositAddressOf?: (ids: QuoteIds) => Address,
): PricedRoute {
  const { inputAmount } = price;
  return {
    price,
    swap,
    userBalance: readings.userBalance,
    originGas: DEPOSIT_GAS * readings.maxFeePerGas,
    buildSteps: (ids) =>
      buildSteps({
        ...readings,
        ...ids,
        quote,
        inputAmount,
        depositAddress: depositAddressOf?.(ids),
        isImplicit: quote.request.explicitDeposit === false,
      }),
  };
}
