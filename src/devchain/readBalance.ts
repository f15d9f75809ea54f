import { type Address, erc20Abi } from "viem";

import { isEvmNative } from "@crosscall/sdk/internal/chains/address";
import type { DevChain } from "./devChain.ts";

/** What an account holds of a currency, smallest unit. */
export function readBalance(chain: DevChain, currency: string, account: Address): Promise<bigint> {
  if (isEvmNative(currency)) return chain.client.getBalance({ address: account });
  const token = { address: currency as Address, abi: erc20Abi };
  return chain.client.readContract({ ...token, functionName: "balanceOf", args: [account] });
}
