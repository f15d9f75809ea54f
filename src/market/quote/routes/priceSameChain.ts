import type { Address } from "viem";

import { BPS_PER_WHOLE, bpsOf, mulDivUp } from "@crosscall/sdk/internal/core/amounts";
import { platformFee } from "@crosscall/sdk/internal/protocol/fees/platformFee";
import { sponsorFees } from "@crosscall/sdk/internal/protocol/quote/sponsorFees";
import { usdValue } from "../../currencies.ts";
import { findSwap } from "../../swaps/findSwap.ts";
import type { Swap } from "../../swaps/swap.ts";
import { afterSlippage, type Price } from "../priceQuote.ts";
import { refuseLowAmount, refuseSwap, requireLowImpact } from "../quoteRefusals.ts";
import { appFeeBpsOf, slippageBpsOf } from "../requestTerms.ts";
import type { EvmQuote } from "../resolveQuote.ts";

/** Amounts in the smallest unit of the input. */
export interface SameChainPrice {
  readonly price: Price;
  /** Undefined if the output is the input. */
  readonly swap: Swap | undefined;
  /** Fees of the service and the app. */
  readonly feeAmount: bigint;
  /** Including the fee. */
  readonly maximumInput: bigint;
}

/**
 * Platform and app fees on the input, the rest swapped. There is no fill, so no execution fee; the user pays the gas.
 *
 * @throws {@link RefusalError} if no swap yields the output, or it would lose too much
 */
export async function priceSameChain(quote: EvmQuote): Promise<SameChainPrice> {
  const { request, input, output } = quote;
  const platformBps = platformFee(input.currency, output.currency).bps;
  const appBps = appFeeBpsOf(request);
  const slippageBps = slippageBpsOf(request);
  const bps = platformBps + appBps;
  const amount = BigInt(request.amount);
  const isFromInput = request.tradeType === "EXACT_INPUT";
  if (bps >= BPS_PER_WHOLE) throw refuseLowAmount(request);

  const net = isFromInput ? amount - bpsOf(amount, bps) : undefined;
  if (net === 0n) throw refuseLowAmount(request);
  const swap = await swapFor(quote, net === undefined ? { amountOut: amount } : { amountIn: net });
  const swapped = swap === undefined ? (net ?? amount) : swap.amountIn;
  const inputAmount = isFromInput ? amount : mulDivUp(swapped, BPS_PER_WHOLE, BPS_PER_WHOLE - bps);
  const feeAmount = inputAmount - swapped;
  const expectedOutput = swap === undefined ? swapped : swap.amountOut;
  const isFixed = swap?.route.kind !== "pools" || request.tradeType === "EXACT_OUTPUT";
  const isMaximum = swap?.route.kind === "pools" && request.tradeType === "EXACT_OUTPUT";
  const maximumInput =
    feeAmount + (isMaximum ? mulDivUp(swapped, BPS_PER_WHOLE + slippageBps, BPS_PER_WHOLE) : swapped);

  const inputUsd = usdValue(inputAmount, input);
  const platform = bpsOf(inputUsd, platformBps);
  const app = bpsOf(inputUsd, appBps);
  const fees = {
    // Includes rounding: the fees add up to the input less the output.
    swap: inputUsd - platform - app - usdValue(expectedOutput, output),
    execution: 0n,
    platform,
    app,
  };
  requireLowImpact(request, output, fees.swap, inputUsd);
  const price: Price = {
    inputAmount,
    expectedOutput,
    minimumOutput: isFixed ? expectedOutput : afterSlippage(expectedOutput, slippageBps),
    fees,
    sponsored: sponsorFees(fees, {}),
    passThroughUsdE18: 0n,
    originGasUsdE18: 0n,
  };
  return { price, swap, feeAmount, maximumInput };
}

async function swapFor(
  { origin: chain, input, output }: EvmQuote,
  amounts: { readonly amountIn: bigint } | { readonly amountOut: bigint },
): Promise<Swap | undefined> {
  const [from, to] = [input.currency.address, output.currency.address] as [Address, Address];
  if (from === to) return undefined;
  const search = await findSwap({ chain, input: from, output: to, ...amounts });
  if (search.kind === "found") return search.swap;
  throw refuseSwap(search.kind, output, "NO_INTERNAL_SWAP_ROUTES_FOUND");
}
