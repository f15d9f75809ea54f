import type { Address } from "viem";

import { EVM_NATIVE_CURRENCY, isSameAddress } from "@crosscall/sdk/internal/chains/address";
import type { ChainContracts } from "../devchain/contracts.ts";

/** What the solver fills from on every chain: native and the dollar token. It swaps for all other currencies. */
export function inventoryOf({ dollar }: Pick<ChainContracts, "dollar">): readonly [Address, Address] {
  return [EVM_NATIVE_CURRENCY, dollar];
}

/** Whether the solver fills a currency from its holdings, without a swap. */
export function isInventory(contracts: Pick<ChainContracts, "dollar">, currency: string): boolean {
  return inventoryOf(contracts).some((held) => isSameAddress(held, currency));
}
