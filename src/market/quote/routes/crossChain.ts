import type { Address } from "viem";

import { usdValue } from "../../currencies.ts";
import { depositAccount } from "../../depositAccount.ts";
import { buildSteps } from "../buildSteps.ts";
import type { SwappedPrice } from "../priceSwapped.ts";
import { type OriginReadings, readOrigin } from "../readOrigin.ts";
import type { EvmOriginQuote } from "../resolveQuote.ts";
import { priceFill } from "./priceFill.ts";
import type { PricedRoute, QuoteIds, RouteMarket } from "./route.ts";

/** Gas of a deposit, for the deprecated `fees.gas`. */
const DEPOSIT_GAS = 60_000n;

// Gas that a deposit address adds on the origin chain, as on the live service.
const NATIVE_SWEEP_GAS = 33_000n;
const TOKEN_SWEEP_GAS = 70_000n;

export async function quoteCrossChain({ currencies }: RouteMarket, quote: EvmOriginQuote): Promise<PricedRoute> {
  const [readings, priced] = await Promise.all([readOrigin(quote), priceFill(currencies, quote)]);
  return depositRoute(quote, readings, priced);
}

/** The user pays by plain transfer to a new address, which the service sweeps. */
export async function quoteDepositAddress({ currencies }: RouteMarket, quote: EvmOriginQuote): Promise<PricedRoute> {
  const readings = await readOrigin(quote);
  const gas = quote.input.currency.metadata.isNative ? NATIVE_SWEEP_GAS : TOKEN_SWEEP_GAS;
  const priced = await priceFill(currencies, quote, usdValue(gas * readings.maxFeePerGas, quote.originNative));
  return depositRoute(quote, readings, priced, ({ requestId }) => depositAccount(requestId).address);
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
      buildSteps({ ...readings, ...ids, quote, inputAmount, depositAddress: depositAddressOf?.(ids) }),
  };
}
