import { type Address, type Client, toHex } from "viem";

/** Calls a method that local nodes have beside the standard ones; anvil answers Hardhat's names too. */
export async function localNodeRequest(client: Client, method: string, params: readonly unknown[]): Promise<unknown> {
  return (client.request as (call: { method: string; params: readonly unknown[] }) => Promise<unknown>)({
    method,
    params,
  });
}

/** Gives an account this much native, in wei, whatever it had. */
export async function setNativeBalance(client: Client, account: Address, amount: bigint): Promise<void> {
  await localNodeRequest(client, "hardhat_setBalance", [account, toHex(amount)]);
}
