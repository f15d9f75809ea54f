import type { Address } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import { BPS_PER_WHOLE, bpsOf, mulDivUp } from "@crosscall/protocol/encoding";
import { platformFee } from "@crosscall/protocol/fees";
import { EXECUTION_FLAT_USD_E18, sponsorFees } from "@crosscall/protocol/quote/rules";
import { amountWorthAtLeast, usdValue } from "../../currencies.ts";
import { requestTypeOf } from "../../requestKind.ts";
import { findSwap } from "../../swaps/findSwap.ts";
import type { Swap } from "../../swaps/swap.ts";
import { afterSlippage, type Price } from "../priceQuote.ts";
import { rejectLowAmount, rejectSwap, requireLowImpact } from "../quoteRejections.ts";
import { appFeeBpsOf, slippageBpsOf, sponsorshipOf } from "../requestTerms.ts";
import type { EvmQuote } from "../resolveQuote.ts";
import { isPermitExecution } from "./gasless.ts";

/** Price of a same-chain request. Amounts are in the smallest unit of the input. */
export interface SameChainPrice {
  readonly price: Price;
  /** Swap; undefined if the output is the input. */
  readonly swap: Swap | undefined;
  /** Fees of the service and the app. */
  readonly feeAmount: bigint;
  /** Including the fee. */
  readonly maximumInput: bigint;
}

/**
 * Prices a same-chain request: takes the flat execution fee, platform and app fees from the input, and swaps the rest.
 * The user pays the gas of the transaction. With a permit, the solver sends the transaction, and the sponsor pays all
 * fees.
 *
 * @param permitGasUsdE18 gas of the transaction that the solver sends, in US dollars, scaled by 10^18
 * @throws {@link RejectionError} if no swap yields the output, or it would lose too much
 */
export async function priceSameChain(quote: EvmQuote, permitGasUsdE18 = 0n): Promise<SameChainPrice> {
  const { request, input, output } = quote;
  const isSponsored = isPermitExecution(quote);
  const platformBps = platformFee(input.currency, output.currency).bps;
  const appBps = appFeeBpsOf(request);
  const slippageBps = slippageBpsOf(request);
  // Fees taken from the input.
  const bps = isSponsored ? 0n : platformBps + appBps;
  const amount = BigInt(request.amount);
  const execution = takesFees(quote) ? EXECUTION_FLAT_USD_E18 + permitGasUsdE18 : 0n;
  const executionAmount = isSponsored ? 0n : amountWorthAtLeast(execution, input);
  const isFromInput = request.tradeType === "EXACT_INPUT";
  if (bps >= BPS_PER_WHOLE) throw rejectLowAmount(request);

  const net = isFromInput ? amount - bpsOf(amount, bps) - executionAmount : undefined;
  if (net !== undefined && net <= 0n) throw rejectLowAmount(request);
  const swap = await swapFor(quote, net === undefined ? { amountOut: amount } : { amountIn: net });
  const swapped = swap === undefined ? (net ?? amount) : swap.amountIn;
  const inputAmount = isFromInput ? amount : mulDivUp(swapped + executionAmount, BPS_PER_WHOLE, BPS_PER_WHOLE - bps);
  const feeAmount = inputAmount - swapped;
  const expectedOutput = swap === undefined ? swapped : swap.amountOut;
  const isFixed = swap?.route.kind !== "pools" || request.tradeType === "EXACT_OUTPUT";
  const isMaximum = swap?.route.kind === "pools" && request.tradeType === "EXACT_OUTPUT";
  const maximumInput =
    feeAmount + (isMaximum ? mulDivUp(swapped, BPS_PER_WHOLE + slippageBps, BPS_PER_WHOLE) : swapped);

  const inputUsd = usdValue(inputAmount, input);
  const platform = bpsOf(inputUsd, platformBps);
  const app = bpsOf(inputUsd, appBps);
  const taken = isSponsored ? 0n : execution + platform + app;
  const fees = {
    // Includes rounding, so that the user's fees add up to the input less the output.
    swap: inputUsd - taken - usdValue(expectedOutput, output),
    execution,
    platform,
    app,
  };
  requireLowImpact(request, output, fees.swap, inputUsd);
  const price: Price = {
    inputAmount,
    expectedOutput,
    minimumOutput: isFixed ? expectedOutput : afterSlippage(expectedOutput, slippageBps),
    fees,
    sponsored: sponsorFees(fees, isSponsored ? sponsorshipOf(request) : {}),
    passThroughUsdE18: 0n,
    originGasUsdE18: permitGasUsdE18,
  };
  return { price, swap, feeAmount, maximumInput };
}

/**
 * Returns whether the user's transaction uses a contract that can keep a fee. A plain transfer does not, and neither
 * does wrapping in the token's own contract (spec 2, section 9.1: the conversion is 1:1).
 */
function takesFees(quote: EvmQuote): boolean {
  if (isPermitExecution(quote)) return true;
  switch (requestTypeOf(quote)) {
    case "Send":
      return false;
    case "Wrap":
    case "Unwrap":
      return appFeeBpsOf(quote.request) > 0n || !isSameAddress(quote.user, quote.recipient);
    default:
      return true;
  }
}

async function swapFor(
  { origin: chain, input, output }: EvmQuote,
  amounts: { readonly amountIn: bigint } | { readonly amountOut: bigint },
): Promise<Swap | undefined> {
  const [from, to] = [input.currency.address, output.currency.address] as [Address, Address];
  if (from === to) return undefined;
  const search = await findSwap({ chain, input: from, output: to, ...amounts });
  if (search.kind === "found") return search.swap;
  throw rejectSwap(search.kind, output, "NO_INTERNAL_SWAP_ROUTES_FOUND");
}
