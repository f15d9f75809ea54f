import type { DevChain } from "../../devchain/devChain.ts";
import type { PricedCurrency } from "../currencies.ts";
import { isInventory } from "../inventory.ts";

// Gas of a fill as the price takes it: the transaction itself, each call of the order, and a swap for its output.
const FILL_BASE_GAS = 60_000n;
const FILL_CALL_GAS = 60_000n;
const FILL_SWAP_GAS = 250_000n;

/** The gas that a fill is priced with. */
export function fillGas(
  { contracts }: Pick<DevChain, "contracts">,
  output: PricedCurrency,
  txs: readonly unknown[],
): bigint {
  const isSwapped = !isInventory(contracts, output.currency.address);
  return FILL_BASE_GAS + FILL_CALL_GAS * BigInt(txs.length) + (isSwapped ? FILL_SWAP_GAS : 0n);
}
