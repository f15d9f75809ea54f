import type { Address } from "viem";

import type { Step } from "@crosscall/protocol/complete";
import { amountWorth, usdValue } from "../../currencies.ts";
import { depositAccount } from "../../../devchain/accounts.ts";
import { isSimulated } from "../../quotedChains.ts";
import { inputsOf } from "../inputsOf.ts";
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
  return quote.offers === undefined
    ? depositRoute(quote, readings, priced)
    : depositsRoute(market, quote, readings, priced);
}

/** Returns the deposits of several inputs. Approvals come first: if one is rejected, no deposit was made. */
async function depositsRoute(
  { currencies }: RouteMarket,
  quote: EvmOriginQuote,
  { userBalance }: OriginReadings,
  { price, quoted: swap }: SwappedPrice,
): Promise<PricedRoute> {
  const evmInputs = inputsOf(quote, price).flatMap((input) =>
    isSimulated(input.origin) ? [] : [{ ...input, origin: input.origin }],
  );
  const deposits = await Promise.all(evmInputs.map(async (input) => ({ input, readings: await readOrigin(input) })));
  const gasUsd = deposits.reduce(
    (sum, { input, readings }) =>
      sum + usdValue(DEPOSIT_GAS * readings.maxFeePerGas, currencies.nativeOf(input.origin.id)),
    0n,
  );
  const isImplicit = quote.request.explicitDeposit === false;
  return {
    price,
    swap,
    userBalance,
    originGas: amountWorth(gasUsd, quote.originNative),
    buildSteps(ids) {
      const steps = deposits.flatMap(({ input, readings }) =>
        buildSteps({ ...readings, ...ids, quote: input, inputAmount: input.amount, isImplicit }),
      );
      const [approvals, payments] = [false, true].map((isDeposit) =>
        steps.filter(({ id }) => (id === "deposit") === isDeposit),
      );
      return [...(approvals ?? []), ...withLastCheck(payments ?? [])];
    },
  };
}

/** Keeps only the last deposit's check: the request waits for all deposits, so clients must not poll before the last. */
function withLastCheck(steps: readonly Step[]): Step[] {
  return steps.map((step, index) =>
    index === steps.length - 1 ? step : { ...step, items: step.items.map(({ check: _, ...item }) => item) },
  );
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
