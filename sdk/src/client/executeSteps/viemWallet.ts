import type { Account, Chain, Transport, WalletClient } from "viem";
import { sendTransaction, signMessage, signTypedData } from "viem/actions";

import type { StepWallet } from "./stepWallet.ts";

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
    sendTransaction: ({ fees, chainId: _chainId, ...transaction }) =>
      "gasPrice" in fees
        ? sendTransaction(wallet, { account, chain: null, type: "legacy", ...transaction, ...fees })
        : sendTransaction(wallet, { account, chain: null, type: "eip1559", ...transaction, ...fees }),
    signMessage: (message) => signMessage(wallet, { account, message }),
    signTypedData: ({ value, ...data }) => signTypedData(wallet, { account, ...data, message: value }),
  };
}
