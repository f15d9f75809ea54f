import { type Account, type Chain, type Client, numberToHex, type Transport, type WalletClient } from "viem";
import { getChainId, sendTransaction, signMessage, signTypedData } from "viem/actions";

import { isSameAddress } from "../../chains/address.ts";
import { InvalidInputError, WrongChainError } from "../../core/errors.ts";
import { type EthersSigner, fromEthersSigner } from "./ethersSigner.ts";
import type { StepWallet } from "./stepWallet.ts";

/** A wallet that executes steps: a viem wallet client with an account, or an ethers v6 signer with a provider. */
export type ExecutionWallet = ViemWallet | EthersSigner;

export interface StepWallets {
  /** Switches the wallet's chain if needed. */
  on(chainId: number, from: string): Promise<StepWallet>;
  signer(chainId: number): StepWallet | undefined;
}

/** `wallet` serves the chains that `wallets` does not have. */
export async function openWallets(
  wallet: ExecutionWallet | undefined,
  wallets: Readonly<Record<number, ExecutionWallet>> = {},
): Promise<StepWallets> {
  const fallback = wallet === undefined ? undefined : await openWallet(wallet, "wallet");
  const byChain = new Map<number, StepWallet>();
  for (const [chainId, each] of Object.entries(wallets)) {
    byChain.set(Number(chainId), await openWallet(each, `wallets[${chainId}]`));
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
          hint: `Pass a wallet for chain ${chainId}.`,
        });
      }
      if (!isSameAddress(from, found.address)) {
        throw new InvalidInputError({
          field: byChain.has(chainId) ? `wallets[${chainId}].account` : "wallet.account",
          value: found.address,
          reason: `the quote is for ${from}`,
          hint: "Pass the wallet of that account, or request a quote with this account as user.",
        });
      }
      await requireChain(found.client, chainId);
      return found;
    },
    signer: (chainId) => find(chainId) ?? [...byChain.values()][0],
  };
}

export function openWallet(wallet: ExecutionWallet, field: string): Promise<StepWallet> {
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
    // Not every wallet can switch, and users may decline: the chain id is checked afterwards.
  }
  const actualChainId = await getChainId(client);
  if (actualChainId !== chainId) {
    throw new WrongChainError({ what: "the wallet", expectedChainId: chainId, actualChainId });
  }
}

/** A viem wallet client with an account. The chain id is read from its node. */
export type ViemWallet = WalletClient<Transport, Chain | undefined, Account>;

/** An account that holds its key signs before anything is sent. */
export function fromViemWallet(wallet: ViemWallet): StepWallet {
  const { account } = wallet;
  return {
    address: account.address,
    client: wallet,
    signTransaction:
      account.type === "local"
        ? ({ fees, ...transaction }) =>
            "gasPrice" in fees
              ? account.signTransaction({ type: "legacy", ...transaction, ...fees })
              : account.signTransaction({ type: "eip1559", ...transaction, ...fees })
        : undefined,
    signAuthorization: account.type === "local" ? account.signAuthorization : undefined,
    mayBundle: account.type !== "local",
    sendTransaction: ({ fees, chainId: _chainId, ...transaction }) =>
      "gasPrice" in fees
        ? sendTransaction(wallet, { account, chain: null, type: "legacy", ...transaction, ...fees })
        : sendTransaction(wallet, { account, chain: null, type: "eip1559", ...transaction, ...fees }),
    signMessage: (message) => signMessage(wallet, { account, message }),
    signTypedData: ({ value, ...data }) => signTypedData(wallet, { account, ...data, message: value }),
  };
}
