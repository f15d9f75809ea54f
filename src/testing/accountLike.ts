import type { Address } from "viem";

import { parseEvmAddress } from "@crosscall/sdk/internal/chains/address";

/** An address, or what has one: a contract or signer of ethers (TypeChain's among them), a contract or client of viem. */
export type AccountLike = string | { getAddress(): Promise<string> } | { readonly address: string };

/**
 * The address of an account.
 *
 * @param field its path, for the error
 * @throws {@link InvalidInputError} when it has no EVM address
 */
export async function addressOf(account: AccountLike, field: string): Promise<Address> {
  if (typeof account !== "object") return parseEvmAddress(account, field);
  // A contract of ethers answers to any name, so what it certainly has is asked first.
  return parseEvmAddress("getAddress" in account ? await account.getAddress() : account.address, field);
}
