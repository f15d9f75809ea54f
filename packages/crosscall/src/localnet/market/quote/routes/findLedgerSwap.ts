import { type PricedCurrency, usdValue } from "../../currencies.ts";
import type { LedgerSwap } from "../../ledger.ts";
import type { LedgerUser, Pricer } from "../../market.ts";
import { isSimulated } from "../../quotedChains.ts";
import type { SimulatedChain } from "../../simulatedChains.ts";
import { allowsSwapSource, rejectSwap, requireLowImpact } from "../quoteRejections.ts";
import type { SwapAmount } from "../priceSwapped.ts";
import type { ResolvedQuote } from "../resolveQuote.ts";

/** Returns whether the solver does not hold the currency, and the chain's ledger can swap it. */
export function needsLedgerSwap({ ledgers }: LedgerUser, chain: SimulatedChain, { currency }: PricedCurrency): boolean {
  return ledgers.get(chain.id)?.findSwap !== undefined && !chain.holdings.includes(currency.address);
}

/** A swap between a currency and one that the solver holds. */
export interface FoundLedgerSwap {
  readonly swap: LedgerSwap;
  readonly holding: PricedCurrency;
}

/**
 * Finds the swap before a deposit (`origin`) or for a fill (`destination`) through the sources of the request. If it
 * excludes all of them, uses any, which `rejectSwapSources` then rejects with the excluding field.
 *
 * @throws {@link RejectionError} if no route has enough liquidity, or the swap would lose too much
 */
export async function findLedgerSwap(
  { ledgers, currencies }: LedgerUser & Pricer,
  { request, input, output, origin, destination }: ResolvedQuote,
  side: "origin" | "destination",
  amountOf: (holding: PricedCurrency) => SwapAmount | Promise<SwapAmount>,
): Promise<FoundLedgerSwap> {
  const chain = side === "origin" ? origin : destination;
  const swapped = side === "origin" ? input : output;
  const ledger = ledgers.get(chain.id);
  const allows = (source: string): boolean => allowsSwapSource(request, side, source);
  const terms = {
    maxRouteLength: request.maxRouteLength,
    allows: ledger?.swapSources?.some(allows) === true ? allows : () => true,
  };
  let kind: "no-route" | "no-liquidity" = "no-route";
  for (const address of isSimulated(chain) ? chain.holdings : []) {
    const holding = currencies.require(chain.id, address);
    const [from, to] = side === "origin" ? [swapped, holding] : [holding, swapped];
    const pair = { input: from.currency.address, output: to.currency.address };
    const purpose = side === "origin" ? "deposit" : "fill";
    const search = await ledger?.findSwap?.({ ...pair, ...terms, ...(await amountOf(holding)) }, purpose);
    if (search?.kind === "no-liquidity") kind = search.kind;
    if (search?.kind !== "found") continue;
    const { swap } = search;
    const inputUsd = usdValue(swap.amountIn, from);
    requireLowImpact(request, to, inputUsd - usdValue(swap.amountOut, to), inputUsd);
    return { swap, holding };
  }
  throw rejectSwap(kind, swapped, "NO_SWAP_ROUTES_FOUND", side === "origin" ? "originCurrency" : "destinationCurrency");
}
