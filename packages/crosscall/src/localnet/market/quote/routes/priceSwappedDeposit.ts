import { BPS_PER_WHOLE, mulDivUp } from "@crosscall/protocol/encoding";
import { type PricedCurrency, usdValue } from "../../currencies.ts";
import type { SimulatedChain } from "../../simulatedChains.ts";
import { afterSlippage } from "../priceQuote.ts";
import type { SwappedPrice } from "../priceSwapped.ts";
import { rejectLowAmount } from "../quoteRejections.ts";
import { slippageBpsOf } from "../requestTerms.ts";
import type { ResolvedQuote } from "../resolveQuote.ts";
import { findLedgerSwap, needsLedgerSwap } from "./findLedgerSwap.ts";
import { priceFill } from "./priceFill.ts";
import type { RouteMarket } from "./route.ts";

/**
 * Prices a quote whose user swaps for a currency that the solver holds, and deposits the swap's minimum output. The
 * user keeps the rest of the output.
 *
 * @returns undefined if the deposit needs no swap, or the chain has no swaps
 * @throws {@link RejectionError} if no swap yields the deposit, or it would lose too much
 */
export async function priceSwappedDeposit(
  market: RouteMarket,
  quote: ResolvedQuote,
  origin: SimulatedChain,
): Promise<SwappedPrice | undefined> {
  const { request, input } = quote;
  if (!needsLedgerSwap(market, origin, input)) return undefined;
  const slippageBps = slippageBpsOf(request);
  if (slippageBps >= BPS_PER_WHOLE) throw rejectLowAmount(request);
  const priceDeposit = (holding: PricedCurrency, amount = request.amount): Promise<SwappedPrice> =>
    priceFill(market, { ...quote, request: { ...request, amount } }, 0n, { input: holding, paid: input });
  const isExactInput = request.tradeType === "EXACT_INPUT";
  const { swap, holding } = await findLedgerSwap(market, quote, "origin", async (one) => {
    if (isExactInput) return { amountIn: BigInt(request.amount) };
    const { inputAmount } = (await priceDeposit(one)).price;
    return { amountOut: mulDivUp(inputAmount, BPS_PER_WHOLE, BPS_PER_WHOLE - slippageBps) };
  });
  const least = afterSlippage(swap.amountOut, slippageBps);
  if (least === 0n) throw rejectLowAmount(request);
  const { price, quoted } = await priceDeposit(holding, isExactInput ? least.toString() : request.amount);
  const depositAmount = price.inputAmount;
  const lossUsdE18 = usdValue(swap.amountIn, input) - usdValue(depositAmount, holding);
  const originSwap = { holding, depositAmount, swap, lossUsdE18 };
  return { price: { ...price, inputAmount: swap.amountIn, originSwap }, quoted };
}
