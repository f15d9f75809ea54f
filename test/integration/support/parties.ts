import {
  type Account,
  type Address,
  type Chain,
  createWalletClient,
  erc20Abi,
  erc4626Abi,
  http,
  type Transport,
  type WalletClient,
} from "viem";
import { readContract, waitForTransactionReceipt, writeContract } from "viem/actions";

import type { Clock } from "../../../packages/protocol/src/core/timer.ts";
import { localDollarAbi } from "../../../packages/crosscall/src/abi/localDollar.generated.ts";
import {
  type ChainClient,
  chainClient,
  describeChain,
} from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { Localnet, LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";

/** Returns a wallet for the test's user on a chain. */
export function userWallet(network: Localnet, chain: LocalnetChain): WalletClient<Transport, Chain, Account> {
  return createWalletClient({
    account: network.accounts.user,
    chain: describeChain(chain.id, chain.rpcUrl),
    transport: http(chain.rpcUrl),
    pollingInterval: 25,
  });
}

/** Returns an app's clock. It shows the later of the chains' time, which cannot be set back, and the service's time. */
export function appClock(network: Localnet): Clock {
  return { now: () => Math.max(network.clock.now(), Date.now()) };
}

/** A read-only client. */
export function reader(chain: Pick<LocalnetChain, "id" | "rpcUrl">): ChainClient {
  return chainClient(chain.id, chain.rpcUrl);
}

/** Mints dollars to the test's user, in the smallest unit. */
export async function mintDollars(network: Localnet, chain: LocalnetChain, amount: bigint): Promise<void> {
  const wallet = userWallet(network, chain);
  const hash = await writeContract(wallet, {
    address: chain.contracts.dollar,
    abi: localDollarAbi,
    functionName: "mint",
    args: [network.accounts.user.address, amount],
  });
  await waitForTransactionReceipt(wallet, { hash });
}

/** Returns the dollar balance of an account, in the smallest unit. */
export function dollarsOf(chain: LocalnetChain, account: Address): Promise<bigint> {
  return readContract(reader(chain), {
    address: chain.contracts.dollar,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [account],
  });
}

/** Returns the value of an account's vault shares in dollars. */
export async function vaultedDollarsOf(chain: LocalnetChain, account: Address): Promise<bigint> {
  const vault = { address: chain.contracts.vault, abi: erc4626Abi };
  const shares = await readContract(reader(chain), { ...vault, functionName: "balanceOf", args: [account] });
  return readContract(reader(chain), { ...vault, functionName: "convertToAssets", args: [shares] });
}
