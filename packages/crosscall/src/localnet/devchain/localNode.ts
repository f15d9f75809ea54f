import { type Address, type Client, toHex } from "viem";

/** Calls a method of local nodes; anvil supports Hardhat's names. */
export async function localNodeRequest(client: Client, method: string, params: readonly unknown[]): Promise<unknown> {
  return (client.request as (call: { method: string; params: readonly unknown[] }) => Promise<unknown>)({
    method,
    params,
  });
}

/** In wei. */
export async function setNativeBalance(client: Client, account: Address, amount: bigint): Promise<void> {
  await localNodeRequest(client, "hardhat_setBalance", [account, toHex(amount)]);
}
