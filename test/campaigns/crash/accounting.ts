import { type Address, erc20Abi, erc4626Abi, type Hex, zeroAddress } from "viem";

import { DEPOSITORY_ADDRESS } from "../../../packages/protocol/src/chains/serviceAddresses.ts";
import { chainClient } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { depositoryAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

/** Chain of a campaign. */
export type CampaignChain = Pick<LocalnetChain, "contracts" | "id" | "rpcUrl">;

/** Returns the balance of an account, in the smallest unit. The zero address is the native currency. */
export async function balanceOf({ id, rpcUrl }: CampaignChain, currency: Address, account: Address): Promise<bigint> {
  const client = chainClient(id, rpcUrl);
  return currency === zeroAddress
    ? client.getBalance({ address: account })
    : client.readContract({ address: currency, abi: erc20Abi, functionName: "balanceOf", args: [account] });
}

/** Returns the value of an account's vault shares, in the smallest unit of the dollar token. */
export async function vaultedOf(
  { id, rpcUrl, contracts: { vault } }: CampaignChain,
  account: Address,
): Promise<bigint> {
  const client = chainClient(id, rpcUrl);
  const shares = await client.readContract({
    address: vault,
    abi: erc4626Abi,
    functionName: "balanceOf",
    args: [account],
  });
  return client.readContract({ address: vault, abi: erc4626Abi, functionName: "convertToAssets", args: [shares] });
}

/** Balances of the service's own accounts on a chain. */
export interface ServiceHoldings {
  readonly solverNative: bigint;
  readonly solverDollars: bigint;
  readonly depositoryNative: bigint;
  readonly depositoryDollars: bigint;
}

/** Reads the balances of the service's own accounts on a chain. */
export async function readHoldings(chain: CampaignChain, solver: Address): Promise<ServiceHoldings> {
  const [solverNative, solverDollars, depositoryNative, depositoryDollars] = await Promise.all([
    balanceOf(chain, zeroAddress, solver),
    balanceOf(chain, chain.contracts.dollar, solver),
    balanceOf(chain, zeroAddress, DEPOSITORY_ADDRESS),
    balanceOf(chain, chain.contracts.dollar, DEPOSITORY_ADDRESS),
  ]);
  return { solverNative, solverDollars, depositoryNative, depositoryDollars };
}

/** Amounts that the depository received for an order, in the smallest unit. */
export async function depositsOf({ id, rpcUrl }: CampaignChain, orderId: Hex): Promise<readonly bigint[]> {
  const events = depositoryAbi.filter((item) => item.type === "event");
  const logs = await chainClient(id, rpcUrl).getLogs({
    address: DEPOSITORY_ADDRESS,
    events,
    fromBlock: 0n,
    strict: true,
  });
  return logs.flatMap(({ args }) => ("id" in args && "amount" in args && args.id === orderId ? [args.amount] : []));
}
