import type { DevChain } from "../../../devchain/devChain.ts";
import type { CurrencyTable } from "../../currencies.ts";
import { isInventory } from "../../inventory.ts";
import { isSimulated } from "../../quotedChains.ts";
import { type PriceParameters, priceQuote } from "../priceQuote.ts";
import { priceSwapped, type SwappedPrice } from "../priceSwapped.ts";
import { refuseLowAmount } from "../quoteRefusals.ts";
import { appFeeBpsOf, slippageBpsOf } from "../requestTerms.ts";
import { deliversNative, type ResolvedQuote } from "../resolveQuote.ts";

// Gas of a fill for pricing: the transaction, each call of the order, and a swap for the output.
const FILL_BASE_GAS = 60_000n;
const FILL_CALL_GAS = 60_000n;
const FILL_SWAP_GAS = 250_000n;

/**
 * @param originGasUsdE18 gas of the origin chain that the service pays, in US dollars times 10^18
 *
 * @throws {@link RefusalError} if the fees exceed the amount, or no swap yields the output
 */
export async function priceFill(
  currencies: CurrencyTable,
  quote: ResolvedQuote,
  originGasUsdE18 = 0n,
): Promise<SwappedPrice> {
  const { request, input, output, destination } = quote;
  const parameters: Omit<PriceParameters, "fillCost"> = {
    tradeType: request.tradeType,
    amount: BigInt(request.amount),
    input,
    output,
    native: quote.destinationNative,
    originGasUsdE18,
    slippageBps: slippageBpsOf(request),
    appFeeBps: appFeeBpsOf(request),
    sponsorship: request,
  };
  if (isSimulated(destination)) {
    const { fillCost, passThroughUsdE18 } = destination;
    const price = priceQuote({ ...parameters, fillCost, passThroughUsdE18 });
    if (price === undefined) throw refuseLowAmount(request);
    return { price, quoted: undefined };
  }
  const fillCost = await fillCostOf(quote, destination);
  const swapped = await priceSwapped({ request, destination }, currencies, { ...parameters, fillCost });
  if (swapped === undefined) throw refuseLowAmount(request);
  return swapped;
}

/** In wei of the destination: gas, and values of calls paid in addition to the output. */
async function fillCostOf(quote: ResolvedQuote, { client, contracts }: DevChain): Promise<bigint> {
  const { output, txs, callValue } = quote;
  const swapGas = isInventory(contracts, output.currency.address) ? 0n : FILL_SWAP_GAS;
  const gas = FILL_BASE_GAS + FILL_CALL_GAS * BigInt(txs.length) + swapGas;
  // With native output, the calls are paid from it.
  return gas * (await client.getGasPrice()) + (deliversNative(quote) ? 0n : callValue);
}
