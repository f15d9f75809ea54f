import type { Address } from "viem";

import { sponsorFees } from "@crosscall/protocol/quote/rules";
import {
  amountWorth,
  type CurrencyTable,
  inventoryOf,
  isInventory,
  type PricedCurrency,
  usdValue,
} from "../currencies.ts";
import { findSwap } from "../swaps/findSwap.ts";
import { swapSource } from "../swaps/swap.ts";
import { afterSlippage, type Price, type PriceParameters, priceQuote } from "./priceQuote.ts";
import { rejectSwap, requireLowImpact } from "./quoteRejections.ts";
import type { EvmQuote } from "./resolveQuote.ts";

/** A swap by the solver. Amounts are in the smallest unit. */
export interface QuotedSwap {
  readonly source: string;
  readonly inventory: PricedCurrency;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
}

export interface SwappedPrice {
  readonly price: Price;
  /** Quoted swap; undefined if the solver holds the output. */
  readonly quoted: QuotedSwap | undefined;
}

/**
 * Prices a quote whose output may require a swap by the solver. The pools determine the swap's amounts. The loss
 * compared to the price table is the swap fee.
 *
 * @returns undefined if the fees exceed the amount
 * @throws {@link RejectionError} if no swap yields the output, or it would lose too much
 */
export async function priceSwapped(
  quote: SwapDestination,
  currencies: CurrencyTable,
  parameters: PriceParameters,
): Promise<SwappedPrice | undefined> {
  const { output } = parameters;
  if (isInventory(quote.destination.contracts, output.currency.address)) {
    const price = priceQuote(parameters);
    return price && { price, quoted: undefined };
  }
  return priceWithSwap(parameters, (amounts) => findBestSwap(quote, currencies, output, amounts));
}

type FindSwap = (amounts: (inventory: PricedCurrency) => SwapAmount) => Promise<QuotedSwap>;

/** Prices a quote for which the solver must swap to get the output currency. */
export async function priceWithSwap(parameters: PriceParameters, find: FindSwap): Promise<SwappedPrice | undefined> {
  const { output } = parameters;
  if (parameters.tradeType !== "EXACT_INPUT") {
    const quoted = await find(() => ({ amountOut: parameters.amount }));
    const price = priceQuote({ ...parameters, swapUsdE18: costOf(quoted, output) });
    return price && { price, quoted };
  }
  const unswapped = priceQuote(parameters);
  if (unswapped === undefined) return undefined;
  const wanted = unswapped.expectedOutput;
  if (!unswapped.sponsored.components.swap.isSelected) {
    const quoted = await find((inventory) => ({ amountIn: amountWorth(usdValue(wanted, output), inventory) }));
    return { price: withSwap(unswapped, quoted, parameters), quoted };
  }
  // The sponsor pays the swap fee up to its cap. The user receives the table's amount less the excess over the cap.
  const quoted = await find(() => ({ amountOut: wanted }));
  const price = priceQuote({ ...parameters, swapUsdE18: costOf(quoted, output) });
  if (price === undefined || price.expectedOutput === wanted) return price && { price, quoted };
  return { price, quoted: await find(() => ({ amountOut: price.expectedOutput })) };
}

type SwapDestination = Pick<EvmQuote, "destination" | "request">;

export type SwapAmount = { readonly amountIn: bigint } | { readonly amountOut: bigint };

async function findBestSwap(
  { destination: chain, request }: SwapDestination,
  currencies: CurrencyTable,
  output: PricedCurrency,
  amounts: (inventory: PricedCurrency) => SwapAmount,
): Promise<QuotedSwap> {
  const holdings = inventoryOf(chain.contracts).map((address) => currencies.require(chain.id, address));
  const searches = await Promise.all(
    holdings.map(async (inventory) => {
      const [input, to] = [inventory.currency.address, output.currency.address] as [Address, Address];
      return { inventory, search: await findSwap({ chain, input, output: to, ...amounts(inventory) }) };
    }),
  );
  const found = searches.flatMap(({ inventory, search }) =>
    search.kind === "found"
      ? [
          {
            inventory,
            source: swapSource(search.swap),
            amountIn: search.swap.amountIn,
            amountOut: search.swap.amountOut,
          },
        ]
      : [],
  );
  const [first, ...others] = found;
  if (first === undefined) {
    const isShort = searches.some(({ search }) => search.kind === "no-liquidity");
    throw rejectSwap(isShort ? "no-liquidity" : "no-route", output, "NO_SWAP_ROUTES_FOUND");
  }
  const best = others.reduce((left, right) => (costOf(right, output) < costOf(left, output) ? right : left), first);
  requireLowImpact(request, output, costOf(best, output), usdValue(best.amountIn, best.inventory));
  return best;
}

/** Returns the loss of a swap in US dollars, scaled by 10^18, or zero for a gain. */
function costOf({ inventory, amountIn, amountOut }: QuotedSwap, output: PricedCurrency): bigint {
  const cost = usdValue(amountIn, inventory) - usdValue(amountOut, output);
  return cost > 0n ? cost : 0n;
}

function withSwap(price: Price, quoted: QuotedSwap, parameters: PriceParameters): Price {
  const expectedOutput = quoted.amountOut;
  const fees = { ...price.fees, swap: price.fees.swap + costOf(quoted, parameters.output) };
  return {
    ...price,
    expectedOutput,
    minimumOutput: afterSlippage(expectedOutput, parameters.slippageBps),
    fees,
    sponsored: sponsorFees(fees, parameters.sponsorship ?? {}),
  };
}
