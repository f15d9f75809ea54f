import type { Address } from "viem";

import { EVM_NATIVE_CURRENCY, isSameAddress } from "@crosscall/protocol/chains";
import type { ChainContracts } from "../devchain/contracts.ts";

/** Native currency and the dollar token; the solver swaps for all others. */
export function inventoryOf({ dollar }: Pick<ChainContracts, "dollar">): readonly [Address, Address] {
  return [EVM_NATIVE_CURRENCY, dollar];
}

export function isInventory(contracts: Pick<ChainContracts, "dollar">, currency: string): boolean {
  return inventoryOf(contracts).some((held) => isSameAddress(held, currency));
}
