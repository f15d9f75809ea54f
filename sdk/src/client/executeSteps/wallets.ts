import { type Client, numberToHex } from "viem";
import { getChainId } from "viem/actions";

import { isSameAddress } from "../../chains/address.ts";
import { InvalidInputError, WrongChainError } from "../../core/errors.ts";
import { type EthersSigner, fromEthersSigner } from "./ethersSigner.ts";
import type { StepWallet } from "./stepWallet.ts";
import { type ViemWallet, fromViemWallet } from "./viemWallet.ts";

/** A wallet that executes steps: a viem wallet client with an account, or an ethers v6 signer with a provider. */
export type ExecutionWallet = ViemWallet | EthersSigner;

/** The wallets of an execution, ready for use. */
export interface StepWallets {
  /**
   * The wallet for a chain, on that chain: a wallet that can is switched.
   *
   * @throws {@link WrongChainError} when it is on another chain and cannot be switched
   * @throws {@link InvalidInputError} when there is none, or it is another account's
   */
  on(chainId: number, from: string): Promise<StepWallet>;
  /** The wallet that signs messages. */
  signer(chainId: number): StepWallet | undefined;
}

/** Makes wallets ready. `wallets` go by chain id; `wallet` serves every other chain. */
export async function openWallets(
  wallet: ExecutionWallet | undefined,
  wallets: Readonly<Record<number, ExecutionWallet>> = {},
): Promise<StepWallets> {
  const fallback = wallet === undefined ? undefined : await open(wallet, "wallet");
  const byChain = new Map<number, StepWallet>();
  for (const [chainId, each] of Object.entries(wallets)) {
    byChain.set(Number(chainId), await open(each, `wallets[${chainId}]`));
  }
  const find = (chainId: number): StepWallet | undefined => byChain.get(chainId) ?? fallback;
  return {
    async on(chainId, from) {
      const found = find(chainId);
      if (found === undefined) {
        throw new InvalidInputError({
          field: `wallets[${chainId}]`,
          value: undefined,
          reason: `a step is performed on chain ${chainId}`,
          hint: `Give a wallet for chain ${chainId}.`,
        });
      }
      if (!isSameAddress(from, found.address)) {
        throw new InvalidInputError({
          field: byChain.has(chainId) ? `wallets[${chainId}].account` : "wallet.account",
          value: found.address,
          reason: `the quote was asked for ${from}`,
          hint: "Give the wallet of that account, or quote with this account as user.",
        });
      }
      await requireChain(found.client, chainId);
      return found;
    },
    signer: (chainId) => find(chainId) ?? [...byChain.values()][0],
  };
}

function open(wallet: ExecutionWallet, field: string): Promise<StepWallet> {
  return "getAddress" in wallet ? fromEthersSigner(wallet, field) : Promise.resolve(fromViemWallet(wallet));
}

async function requireChain(client: Client, chainId: number): Promise<void> {
  if ((await getChainId(client)) === chainId) return;
  try {
    await client.request({
      method: "wallet_switchEthereumChain",
      params: [{ chainId: numberToHex(chainId) }],
    } as never);
  } catch {
    // A node cannot be switched, and a user may decline: the chain id below tells.
  }
  const actualChainId = await getChainId(client);
  if (actualChainId !== chainId) {
    throw new WrongChainError({ what: "the wallet", expectedChainId: chainId, actualChainId });
  }
}
