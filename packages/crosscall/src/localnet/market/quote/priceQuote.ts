import { BPS_PER_WHOLE, bpsOf, mulDivUp, parseAmount } from "@crosscall/protocol/encoding";
import type { TradeType } from "@crosscall/protocol/common";
import { type FeesUsd, mapFees, platformFee, sumFees } from "@crosscall/protocol/fees";
import {
  executionFee,
  MICRO_USD_E18,
  type SponsoredFees,
  sponsorFees,
  type SponsorshipRequest,
  swapFee,
} from "@crosscall/protocol/quote/rules";
import { amountWorth, amountWorthAtLeast, type PricedCurrency, usdValue } from "../currencies.ts";
import type { LedgerSwap } from "../ledger.ts";

export interface PriceParameters {
  readonly tradeType: TradeType;
  /** Amount in the smallest unit of the input for EXACT_INPUT, otherwise of the output. */
  readonly amount: bigint;
  readonly input: PricedCurrency;
  /** Currency that the user pays, if it is swapped for the input. It determines the platform fee. */
  readonly paid?: PricedCurrency;
  readonly output: PricedCurrency;
  readonly native: PricedCurrency;
  /** Cost of the fill in wei of the destination: gas, and values of calls paid in addition to the output. */
  readonly fillCost: bigint;
  readonly slippageBps: bigint;
  readonly appFeeBps: bigint;
  /** Sponsorship; by default, the user pays the fees. */
  readonly sponsorship?: SponsorshipRequest;
  /** Amount passed through to another chain in addition to the fees, in US dollars, scaled by 10^18; never sponsored. */
  readonly passThroughUsdE18?: bigint;
  /** Loss of the solver's swap for the output, in US dollars, scaled by 10^18. */
  readonly swapUsdE18?: bigint;
  /** The solver's fee for moving funds back, in bps of the input; part of the swap fee. */
  readonly rebalancingBps?: bigint;
  /** Gas of the origin chain that the service pays, in US dollars, scaled by 10^18. */
  readonly originGasUsdE18?: bigint;
}

/** Price of a quote. Amounts are in the smallest unit. */
export interface Price {
  readonly inputAmount: bigint;
  readonly expectedOutput: bigint;
  readonly minimumOutput: bigint;
  /** Including sponsored ones. */
  readonly fees: FeesUsd;
  readonly sponsored: SponsoredFees;
  /** Amount passed through, in US dollars, scaled by 10^18. */
  readonly passThroughUsdE18: bigint;
  /** Gas of the origin chain, which is part of the execution fee, in US dollars, scaled by 10^18. */
  readonly originGasUsdE18: bigint;
  /** Excess of a fixed rate over the input's value, in US dollars, scaled by 10^18; may be negative. */
  readonly fixedRateUsdE18?: bigint;
  /**
   * Native currency paid to the recipient in addition to the output, in wei. Its value is part of the execution fee.
   */
  readonly gasTopup?: bigint;
  /** Cost of the recipient's new account in the native currency's smallest unit, which is part of the execution fee. */
  readonly rent?: bigint;
  readonly originSwap?: OriginSwap;
}

/** A swap by the user before the deposit. */
export interface OriginSwap {
  readonly swap: LedgerSwap;
  /** Currency of the deposit. */
  readonly holding: PricedCurrency;
  readonly depositAmount: bigint;
  /** Value of the input less that of the deposit, in US dollars, scaled by 10^18; may be negative. Never sponsored. */
  readonly lossUsdE18: bigint;
}

/**
 * Prices a quote with the fees of spec 2, section 9.1. Sponsored fees do not lower the output.
 *
 * @returns undefined if the fees exceed the amount
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
  // Uses the greatest cost line, as the inverse does, so that an output never costs more than the input that was quoted
  // for it.
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
  // The selected components do not depend on the amount, and deposit addresses only take exact inputs.
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

/** One line of the user's fees as a linear function of the input: a fixed part and a share. */
interface CostLine {
  readonly fixedUsd: bigint;
  readonly bps: bigint;
}

/**
 * Returns the lines of the user's fees. Without a cap, the user pays the fees that are not sponsored. With a cap, the
 * user pays the greater of these fees and all fees less the cap, so an input must cover both lines. For deposit
 * addresses, a cap that is too low pays nothing.
 */
function userCosts(parameters: PriceParameters, execution: bigint, sponsored: SponsoredFees): CostLine[] {
  const { sponsorship = {}, swapUsdE18 = 0n } = parameters;
  const all = {
    swap: parameters.rebalancingBps ?? 0n,
    execution: 0n,
    platform: platformBps(parameters),
    app: parameters.appFeeBps,
  };
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
  const rebalancingUsdE18 = bpsOf(inputUsd, parameters.rebalancingBps ?? 0n);
  const fees = {
    // Fee and price impact of the pools are only known as a sum.
    swap: swapFee({ dexFeeUsdE18: swapUsdE18, dexImpactUsdE18: 0n, rebalancingUsdE18 }),
    execution,
    platform: bpsOf(inputUsd, platformBps(parameters)),
    app: bpsOf(inputUsd, parameters.appFeeBps),
  };
  return { fees, sponsored: sponsorFees(fees, sponsorship), passThroughUsdE18, originGasUsdE18 };
}

function platformBps({ input, paid = input, output }: PriceParameters): bigint {
  return platformFee(paid.currency, output.currency).bps;
}

/** Returns the amount after slippage, rounded down. */
export function afterSlippage(amount: bigint, slippageBps: bigint): bigint {
  return bpsOf(amount, BPS_PER_WHOLE - slippageBps);
}

function positive(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
