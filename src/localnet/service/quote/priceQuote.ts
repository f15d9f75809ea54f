import { BPS_PER_WHOLE, bpsOf, mulDivUp } from "../../../core/amounts.ts";
import type { FeesUsd } from "../../../protocol/feeComponents.ts";
import { executionFee } from "../../../protocol/feeRules.ts";
import { platformFee } from "../../../protocol/platformFee.ts";
import type { TradeType } from "../../../protocol/tradeType.ts";
import { amountWorth, amountWorthAtLeast, type PricedCurrency, usdValue } from "../../currencies.ts";

/** What a price is made from. */
export interface PriceParameters {
  readonly tradeType: TradeType;
  /** Smallest unit: of the input for EXACT_INPUT, else of the output. */
  readonly amount: bigint;
  readonly input: PricedCurrency;
  readonly output: PricedCurrency;
  /** The destination's native currency. */
  readonly native: PricedCurrency;
  /** Wei of the destination that the fill costs: gas, and the values of calls paid beside the output. */
  readonly fillCost: bigint;
  readonly slippageBps: bigint;
  readonly appFeeBps: bigint;
}

/** A price; amounts in the smallest unit. */
export interface Price {
  readonly inputAmount: bigint;
  readonly expectedOutput: bigint;
  readonly minimumOutput: bigint;
  readonly fees: FeesUsd;
}

/**
 * Prices a quote from the local price table, with the fees of spec 2 section 9.1.
 *
 * @returns undefined when the fees eat the whole amount
 */
export function priceQuote(parameters: PriceParameters): Price | undefined {
  const destinationGasUsdE18 = usdValue(parameters.fillCost, parameters.native);
  const execution = executionFee({ destinationGasUsdE18 }).totalUsdE18;
  return parameters.tradeType === "EXACT_INPUT"
    ? priceFromInput(parameters, execution)
    : priceFromOutput(parameters, execution);
}

function priceFromInput(parameters: PriceParameters, execution: bigint): Price | undefined {
  const { amount, input, output, slippageBps } = parameters;
  const inputUsd = usdValue(amount, input);
  const fees = feesOf(parameters, inputUsd, execution);
  // Rounded as one share, as the inverse does it: an output never costs more than the input that it was quoted for.
  const proportional = mulDivUp(inputUsd, platformBps(parameters) + parameters.appFeeBps, BPS_PER_WHOLE);
  const outputUsd = inputUsd - execution - proportional;
  const expectedOutput = outputUsd > 0n ? amountWorth(outputUsd, output) : 0n;
  if (expectedOutput === 0n) return undefined;
  return { inputAmount: amount, expectedOutput, minimumOutput: afterSlippage(expectedOutput, slippageBps), fees };
}

function priceFromOutput(parameters: PriceParameters, execution: bigint): Price | undefined {
  const { amount, input, output, tradeType, slippageBps, appFeeBps } = parameters;
  const proportionalBps = platformBps(parameters) + appFeeBps;
  if (proportionalBps >= BPS_PER_WHOLE) return undefined;
  const netUsd = usdValue(amount, output) + execution;
  const inputAmount = amountWorthAtLeast(mulDivUp(netUsd, BPS_PER_WHOLE, BPS_PER_WHOLE - proportionalBps), input);
  return {
    inputAmount,
    expectedOutput: amount,
    minimumOutput: tradeType === "EXACT_OUTPUT" ? amount : afterSlippage(amount, slippageBps),
    fees: feesOf(parameters, usdValue(inputAmount, input), execution),
  };
}

function feesOf(parameters: PriceParameters, inputUsd: bigint, execution: bigint): FeesUsd {
  return {
    // The solver pays from its own holdings at the table's prices: no exchange takes part.
    swap: 0n,
    execution,
    platform: bpsOf(inputUsd, platformBps(parameters)),
    app: bpsOf(inputUsd, parameters.appFeeBps),
  };
}

function platformBps({ input, output }: PriceParameters): bigint {
  return platformFee(input.currency, output.currency).bps;
}

function afterSlippage(amount: bigint, slippageBps: bigint): bigint {
  return bpsOf(amount, BPS_PER_WHOLE - slippageBps);
}
