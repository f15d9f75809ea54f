import { BPS_PER_WHOLE, bpsOf, mulDivUp, parseAmount } from "@crosscall/sdk/internal/core/amounts";
import type { TradeType } from "@crosscall/sdk/internal/protocol/common/tradeType";
import { type FeesUsd, mapFees, sumFees } from "@crosscall/sdk/internal/protocol/fees/feeComponents";
import { platformFee } from "@crosscall/sdk/internal/protocol/fees/platformFee";
import { executionFee } from "@crosscall/sdk/internal/protocol/quote/feeRules";
import type { SponsorshipRequest } from "@crosscall/sdk/internal/protocol/quote/quoteSponsorshipRules";
import { MICRO_USD_E18, type SponsoredFees, sponsorFees } from "@crosscall/sdk/internal/protocol/quote/sponsorFees";
import { amountWorth, amountWorthAtLeast, type PricedCurrency, usdValue } from "../currencies.ts";

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
  /** Who pays the fees: the user, where nothing is said. */
  readonly sponsorship?: SponsorshipRequest;
  /** What is passed through to another chain beside all fees, in US dollars times 10^18; nobody sponsors it. */
  readonly passThroughUsdE18?: bigint;
  /** What the solver loses in a swap for the output, in US dollars times 10^18; nothing where it holds the output. */
  readonly swapUsdE18?: bigint;
  /** Gas on the origin chain that the service pays for the user, in US dollars times 10^18. */
  readonly originGasUsdE18?: bigint;
}

/** A price; amounts in the smallest unit. */
export interface Price {
  readonly inputAmount: bigint;
  readonly expectedOutput: bigint;
  readonly minimumOutput: bigint;
  /** All fees, whoever pays them. */
  readonly fees: FeesUsd;
  /** Who pays which of them. */
  readonly sponsored: SponsoredFees;
  /** US dollars times 10^18. */
  readonly passThroughUsdE18: bigint;
  /** Gas on the origin chain within the execution fee, in US dollars times 10^18. */
  readonly originGasUsdE18: bigint;
}

/**
 * Prices a quote from the local price table, with the fees of spec 2 section 9.1. What a sponsor pays does not lower the
 * output.
 *
 * @returns undefined when the fees eat the whole amount
 */
export function priceQuote(parameters: PriceParameters): Price | undefined {
  const destinationGasUsdE18 = usdValue(parameters.fillCost, parameters.native);
  const execution = executionFee({
    destinationGasUsdE18,
    gaslessOriginGasUsdE18: parameters.originGasUsdE18,
  }).totalUsdE18;
  return parameters.tradeType === "EXACT_INPUT"
    ? priceFromInput(parameters, execution)
    : priceFromOutput(parameters, execution);
}

function priceFromInput(parameters: PriceParameters, execution: bigint): Price | undefined {
  const { amount, input, output, slippageBps } = parameters;
  const inputUsd = usdValue(amount, input);
  const shares = sharesOf(parameters, inputUsd, execution);
  // The greatest line, as the inverse has it: an output never costs more than the input that it was quoted for.
  const costs = userCosts(parameters, execution, shares.sponsored).map(
    ({ fixedUsd, bps }) => fixedUsd + mulDivUp(inputUsd, bps, BPS_PER_WHOLE),
  );
  const userPays = costs.reduce((greatest, cost) => (cost > greatest ? cost : greatest), 0n);
  const outputUsd = inputUsd - userPays - shares.passThroughUsdE18;
  const expectedOutput = outputUsd > 0n ? amountWorth(outputUsd, output) : 0n;
  if (expectedOutput === 0n) return undefined;
  return { inputAmount: amount, expectedOutput, minimumOutput: afterSlippage(expectedOutput, slippageBps), ...shares };
}

function priceFromOutput(parameters: PriceParameters, execution: bigint): Price | undefined {
  const { amount, input, output, tradeType, slippageBps, passThroughUsdE18 = 0n } = parameters;
  const outputUsd = usdValue(amount, output) + passThroughUsdE18;
  let inputUsd = 0n;
  // Which components are selected does not depend on the amount, and deposit addresses have exact inputs only.
  const { sponsored } = sharesOf(parameters, 0n, execution);
  for (const { fixedUsd, bps } of userCosts(parameters, execution, sponsored)) {
    if (bps >= BPS_PER_WHOLE) return undefined;
    const needed = mulDivUp(positive(outputUsd + fixedUsd), BPS_PER_WHOLE, BPS_PER_WHOLE - bps);
    if (needed > inputUsd) inputUsd = needed;
  }
  const inputAmount = amountWorthAtLeast(inputUsd, input);
  if (inputAmount === 0n) return undefined;
  return {
    inputAmount,
    expectedOutput: amount,
    minimumOutput: tradeType === "EXACT_OUTPUT" ? amount : afterSlippage(amount, slippageBps),
    ...sharesOf(parameters, usdValue(inputAmount, input), execution),
  };
}

/** What the user pays, as a line over the input: a fixed part and a share. */
interface CostLine {
  readonly fixedUsd: bigint;
  readonly bps: bigint;
}

/**
 * What the user pays of the fees: without a cap what nobody sponsors; with one the greater of that, and of all fees
 * less the cap. An input that is enough for both lines is enough. To a deposit address a cap that is too low gives
 * nothing.
 */
function userCosts(parameters: PriceParameters, execution: bigint, sponsored: SponsoredFees): CostLine[] {
  const { sponsorship = {}, swapUsdE18 = 0n } = parameters;
  const all = { swap: 0n, execution: 0n, platform: platformBps(parameters), app: parameters.appFeeBps };
  const everything = { fixedUsd: execution + swapUsdE18, bps: sumFees(all) };
  if (sponsorship.useDepositAddress === true && sponsored.isCapHit) return [everything];
  const { components } = sponsored;
  const unsponsored = {
    fixedUsd: (components.execution.isSelected ? 0n : execution) + (components.swap.isSelected ? 0n : swapUsdE18),
    bps: sumFees(mapFees(all, (bps, component) => (components[component].isSelected ? 0n : bps))),
  };
  const cap = sponsorship.maxSubsidizationAmount;
  if (cap === undefined) return [unsponsored];
  const capUsd = parseAmount(cap, "maxSubsidizationAmount") * MICRO_USD_E18;
  return [unsponsored, { ...everything, fixedUsd: everything.fixedUsd - capUsd }];
}

function sharesOf(
  parameters: PriceParameters,
  inputUsd: bigint,
  execution: bigint,
): Pick<Price, "fees" | "sponsored" | "passThroughUsdE18" | "originGasUsdE18"> {
  const { sponsorship = {}, passThroughUsdE18 = 0n, originGasUsdE18 = 0n, swapUsdE18 = 0n } = parameters;
  const fees = {
    swap: swapUsdE18,
    execution,
    platform: bpsOf(inputUsd, platformBps(parameters)),
    app: bpsOf(inputUsd, parameters.appFeeBps),
  };
  return { fees, sponsored: sponsorFees(fees, sponsorship), passThroughUsdE18, originGasUsdE18 };
}

function platformBps({ input, output }: PriceParameters): bigint {
  return platformFee(input.currency, output.currency).bps;
}

/** What is left of an amount after the whole tolerance, rounded down. */
export function afterSlippage(amount: bigint, slippageBps: bigint): bigint {
  return bpsOf(amount, BPS_PER_WHOLE - slippageBps);
}

function positive(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
