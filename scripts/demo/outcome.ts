import { type Address, type Hex, erc20Abi, erc4626Abi } from "viem";
import { getTransactionReceipt, readContract } from "viem/actions";

import { InvalidStateError } from "@crosscall/sdk/internal/core/errors";
import type { ChainClient } from "../../src/devchain/chainClient.ts";
import type { LocalnetChain } from "../../src/localnet/index.ts";

/** Amounts in the smallest unit. */
export interface Outcome {
  /** Vault shares that the user gained. */
  readonly shares: bigint;
  /** Dollars that those shares are worth. */
  readonly assets: bigint;
  readonly routerTokens: bigint;
  readonly proxyTokens: bigint;
  /** The proxy's remaining allowance from the router. */
  readonly proxyAllowance: bigint;
  readonly fillGas: bigint;
}

/** @throws {@link InvalidStateError} if the user got nothing, or something is left over */
export async function readOutcome(
  client: ChainClient,
  { contracts }: LocalnetChain,
  user: Address,
  fillHash: Hex,
): Promise<Outcome> {
  const { router, dollar, vault, vaultProxy } = contracts;
  const balanceOf = (account: Address): Promise<bigint> =>
    readContract(client, { address: dollar, abi: erc20Abi, functionName: "balanceOf", args: [account] });
  const [shares, routerTokens, proxyTokens, proxyAllowance, receipt] = await Promise.all([
    readContract(client, { address: vault, abi: erc4626Abi, functionName: "balanceOf", args: [user] }),
    balanceOf(router),
    balanceOf(vaultProxy),
    readContract(client, { address: dollar, abi: erc20Abi, functionName: "allowance", args: [router, vaultProxy] }),
    getTransactionReceipt(client, { hash: fillHash }),
  ]);
  const assets = await readContract(client, {
    address: vault,
    abi: erc4626Abi,
    functionName: "convertToAssets",
    args: [shares],
  });
  const outcome = { shares, assets, routerTokens, proxyTokens, proxyAllowance, fillGas: receipt.gasUsed };
  const isClean = routerTokens === 0n && proxyTokens === 0n && proxyAllowance === 0n;
  if (shares > 0n && isClean) return outcome;
  throw new InvalidStateError({
    message: `the fill left ${shares} shares with the user, ${routerTokens} tokens on the router, ${proxyTokens} on the proxy and an allowance of ${proxyAllowance}`,
    hint: "This is a fault of the kit: report it with the output of --json.",
  });
}
