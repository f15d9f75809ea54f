import type { Address } from "viem";

import { parseEvmAddress } from "@crosscall/protocol/chains";

/**
 * An address, or an object that has one: a contract or signer of ethers (including TypeChain's), a contract or client
 * of viem.
 */
export type AccountLike = string | { getAddress(): Promise<string> } | { readonly address: string };

/**
 * @param field its path, for the error
 *
 * @throws {@link InvalidInputError} if it has no EVM address
 */
export async function addressOf(account: AccountLike, field: string): Promise<Address> {
  if (typeof account !== "object") return parseEvmAddress(account, field);
  // A contract of ethers has every property, so its certain ones are checked first.
  return parseEvmAddress("getAddress" in account ? await account.getAddress() : account.address, field);
}
