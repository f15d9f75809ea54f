import type { DevChain } from "../../../devchain/devChain.ts";
import { isActiveAccount } from "../../../store/requests/statistics.ts";
import { isInventory } from "../../currencies.ts";
import { isSimulated } from "../../quotedChains.ts";
import type { SimulatedChain } from "../../simulatedChains.ts";
import { AUTHORIZATION_GAS } from "../authorizations.ts";
import { priceAtFixedRate, readFixedRate } from "../fixedRate.ts";
import { gasTopupOf } from "../gasTopup.ts";
import { type PriceParameters, priceQuote } from "../priceQuote.ts";
import { priceSwapped, priceWithSwap, type SwappedPrice } from "../priceSwapped.ts";
import { rejectLowAmount } from "../quoteRejections.ts";
import { appFeeBpsOf, slippageBpsOf, sponsorshipOf } from "../requestTerms.ts";
import { deliversNative, type ResolvedQuote } from "../resolveQuote.ts";
import { findLedgerSwap, needsLedgerSwap } from "./findLedgerSwap.ts";
import type { RouteMarket } from "./route.ts";

// Gas of a fill for pricing: the transaction, each call of the order, and a swap for the output.
const FILL_BASE_GAS = 60_000n;
const FILL_CALL_GAS = 60_000n;
const FILL_SWAP_GAS = 250_000n;

/**
 * @param originGasUsdE18 gas of the origin chain that the service pays, in US dollars, scaled by 10^18
 *
 * @throws {@link RejectionError} if the fees exceed the amount, or no swap yields the output
 */
export async function priceFill(
  market: Pick<RouteMarket, "currencies" | "ledgers" | "rebalancingBps" | "store">,
  quote: ResolvedQuote,
  originGasUsdE18 = 0n,
  deposited: Pick<PriceParameters, "input" | "paid"> = { input: quote.input },
): Promise<SwappedPrice> {
  const { request, output, destination } = quote;
  const parameters: Omit<PriceParameters, "fillCost"> = {
    tradeType: request.tradeType,
    amount: BigInt(request.amount),
    ...deposited,
    output,
    native: quote.destinationNative,
    originGasUsdE18,
    slippageBps: slippageBpsOf(request),
    appFeeBps: appFeeBpsOf(request),
    sponsorship: sponsorshipOf(request),
    rebalancingBps: quote.origin.id === destination.id ? 0n : BigInt(market.rebalancingBps),
  };
  if (isSimulated(destination)) {
    const rent = (await market.ledgers.get(destination.id)?.rentOf?.(quote.recipient, output.currency.address)) ?? 0n;
    const fillCost = destination.fillCost + rent;
    const passThroughUsdE18 = await activationFee(market, quote, destination);
    const simulated = { ...parameters, fillCost, passThroughUsdE18 };
    if (needsLedgerSwap(market, destination, output)) {
      const swapped = await priceWithSwap(simulated, async (amounts) => {
        const { swap, holding } = await findLedgerSwap(market, quote, "destination", amounts);
        return { ...swap, inventory: holding };
      });
      if (swapped === undefined) throw rejectLowAmount(request);
      return { ...swapped, price: { ...swapped.price, rent } };
    }
    const price = priceQuote(simulated);
    if (price === undefined) throw rejectLowAmount(request);
    return { price: { ...price, rent }, quoted: undefined };
  }
  const gasTopup = gasTopupOf(quote);
  const fillCost = (await fillCostOf(quote, destination)) + gasTopup;
  const rate = request.fixedRate === undefined ? undefined : readFixedRate(request.fixedRate);
  const fixed = rate && priceAtFixedRate({ ...parameters, fillCost }, rate);
  const swapped =
    rate === undefined
      ? await priceSwapped({ request, destination }, market.currencies, { ...parameters, fillCost })
      : fixed && { price: fixed, quoted: undefined };
  if (swapped === undefined) throw rejectLowAmount(request);
  return gasTopup === 0n ? swapped : { ...swapped, price: { ...swapped.price, gasTopup } };
}

/** Returns the activation fee, which is due once per account, in US dollars, scaled by 10^18. */
async function activationFee(
  { store }: Pick<RouteMarket, "store">,
  { recipient }: ResolvedQuote,
  { id, activationUsdE18 }: SimulatedChain,
): Promise<bigint> {
  if (activationUsdE18 === 0n) return 0n;
  return (await isActiveAccount(store.db, id, recipient)) ? 0n : activationUsdE18;
}

/** Returns the cost of the fill in wei of the destination: gas, and values of calls paid in addition to the output. */
async function fillCostOf(quote: ResolvedQuote, { client, contracts }: DevChain): Promise<bigint> {
  const { request, output, txs, callValue } = quote;
  const swapGas = isInventory(contracts, output.currency.address) ? 0n : FILL_SWAP_GAS;
  const callGas = txs.length > 0 ? BigInt(request.txsGasLimit ?? 0) : 0n;
  const topupGas = request.topupGas === true ? FILL_CALL_GAS : 0n;
  const authorizationGas = AUTHORIZATION_GAS * BigInt(request.authorizationList?.length ?? 0);
  const gas = authorizationGas + FILL_BASE_GAS + (callGas || FILL_CALL_GAS * BigInt(txs.length)) + topupGas + swapGas;
  // With native output, the calls are paid from it.
  return gas * (await client.getGasPrice()) + (deliversNative(quote) ? 0n : callValue);
}
