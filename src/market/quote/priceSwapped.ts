import type { Address } from "viem";

import { BPS_PER_WHOLE } from "@crosscall/sdk/internal/core/amounts";
import type { QuoteProblem } from "@crosscall/sdk/internal/protocol/quote/quoteProblem";
import { sponsorFees } from "@crosscall/sdk/internal/protocol/quote/sponsorFees";
import { amountWorth, type CurrencyTable, type PricedCurrency, usdValue } from "../currencies.ts";
import { inventoryOf, isInventory } from "../inventory.ts";
import { refuseProblem } from "../refusal.ts";
import { findSwap, type SwapSearch } from "../swaps/findSwap.ts";
import type { Swap } from "../swaps/swap.ts";
import { afterSlippage, type Price, type PriceParameters, priceQuote } from "./priceQuote.ts";
import type { ResolvedQuote } from "./resolveQuote.ts";

/** The largest share of its worth that a quoted swap may lose, in bps. */
const MAXIMUM_IMPACT_BPS = 1_000n;

/** The swap that a fill is to make on the destination chain. */
export interface QuotedSwap {
  readonly swap: Swap;
  /** What the solver gives for it, of its holdings. */
  readonly inventory: PricedCurrency;
}

/** A price, with the swap that it holds. */
export interface SwappedPrice {
  readonly price: Price;
  /** Undefined where the solver delivers from its holdings. */
  readonly quoted: QuotedSwap | undefined;
}

/**
 * Prices a quote whose output the solver may have to swap for. The amounts of the swap are the pools' own: what they
 * give or take is worth less than the table says is the swap fee.
 *
 * @returns undefined when the fees eat the whole amount
 * @throws {@link RefusalError} when no swap leads to the output, or it would lose too much
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
  const find = (amounts: (inventory: PricedCurrency) => SwapAmount): Promise<QuotedSwap> =>
    findBestSwap(quote, currencies, output, amounts);
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
  // The sponsor pays the swap, up to its cap: the user gets what the table says, less what the cap leaves to pay.
  const quoted = await find(() => ({ amountOut: wanted }));
  const price = priceQuote({ ...parameters, swapUsdE18: costOf(quoted, output) });
  if (price === undefined || price.expectedOutput === wanted) return price && { price, quoted };
  return { price, quoted: await find(() => ({ amountOut: price.expectedOutput })) };
}

/** Where a swap is made, and for which request. */
type SwapDestination = Pick<ResolvedQuote, "destination" | "request">;

type SwapAmount = { readonly amountIn: bigint } | { readonly amountOut: bigint };

/** The swap from the solver's holdings that costs least for what it brings. */
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
    search.kind === "found" ? [{ inventory, swap: search.swap }] : [],
  );
  const [first, ...others] = found;
  if (first === undefined)
    throw refuseProblem(
      noSwap(
        searches.map(({ search }) => search),
        output,
      ),
    );
  const best = others.reduce((left, right) => (costOf(right, output) < costOf(left, output) ? right : left), first);
  const worthUsd = usdValue(best.swap.amountIn, best.inventory);
  if (costOf(best, output) * BPS_PER_WHOLE > worthUsd * MAXIMUM_IMPACT_BPS) {
    throw refuseProblem({
      errorCode: "SWAP_IMPACT_TOO_HIGH",
      field: "amount",
      value: request.amount,
      reason: `the swap to ${output.currency.symbol} would lose more than ${MAXIMUM_IMPACT_BPS} bps of what goes in`,
      hint: "Give a smaller amount.",
    });
  }
  return best;
}

/** What a swap loses against the table's prices, in US dollars times 10^18; nothing where it gains. */
function costOf({ swap, inventory }: QuotedSwap, output: PricedCurrency): bigint {
  const cost = usdValue(swap.amountIn, inventory) - usdValue(swap.amountOut, output);
  return cost > 0n ? cost : 0n;
}

function withSwap(price: Price, quoted: QuotedSwap, parameters: PriceParameters): Price {
  const expectedOutput = quoted.swap.amountOut;
  const fees = { ...price.fees, swap: costOf(quoted, parameters.output) };
  return {
    ...price,
    expectedOutput,
    minimumOutput: afterSlippage(expectedOutput, parameters.slippageBps),
    fees,
    sponsored: sponsorFees(fees, parameters.sponsorship ?? {}),
  };
}

function noSwap(searches: readonly SwapSearch[], { currency }: PricedCurrency): QuoteProblem {
  const field = { field: "destinationCurrency", value: currency.address };
  return searches.some(({ kind }) => kind === "no-liquidity")
    ? {
        errorCode: "INSUFFICIENT_LIQUIDITY",
        ...field,
        reason: `the pools cannot bring that much ${currency.symbol}`,
        hint: "Give a smaller amount, or one that is worth a swap.",
      }
    : {
        errorCode: "NO_SWAP_ROUTES_FOUND",
        ...field,
        reason: `no pools of chain ${currency.chainId} lead to ${currency.symbol}`,
        hint: "Choose another currency.",
      };
}
