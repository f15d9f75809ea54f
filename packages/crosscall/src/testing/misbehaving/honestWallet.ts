import { type Client, createClient, type Hex, http, type LocalAccount, numberToHex } from "viem";
import { getBlockNumber, getChainId, getTransactionCount } from "viem/actions";

import { createMutex } from "../../localnet/devchain/mutex.ts";
import { toPageError } from "../browser/providerError.ts";
import { type Bundles, createBundles } from "../browser/sendCalls.ts";
import {
  sendSigned,
  type SignedTransaction,
  signMessage,
  signPageTransaction,
  signTypedData,
} from "../browser/signing.ts";
import { askNode, createWalletChains, toChainId } from "../browser/walletChains.ts";

/** A transaction in the format of `eth_sendTransaction`. */
export type TransactionRequest = Readonly<Record<string, unknown>>;

/** A wallet without faults, on which each kind is based. */
export interface HonestWallet {
  readonly account: LocalAccount;
  readonly client: Client;
  readonly chainId: number;
  readonly bundles: Bundles;
  blockNumber(): Promise<number>;
  /** Returns the account's next nonce according to the node. */
  nextNonce(): Promise<number>;
  sign(transaction: TransactionRequest): Promise<SignedTransaction>;
  /** Sends signed bytes, and records the hash. */
  sendSigned(signed: Pick<SignedTransaction, "hash" | "serialized">): Promise<Hex>;
  /** Signs and sends transactions one at a time. */
  send(transaction: TransactionRequest): Promise<Hex>;
  sendBundle(parameter: unknown): Promise<{ readonly id: string }>;
  /** Notifies the app that the chain changed. */
  announceChain(chainId: Hex): void;
  answer(method: string, params: readonly unknown[]): Promise<unknown>;
}

export interface HonestWalletOptions {
  readonly account: LocalAccount;
  readonly rpcUrl: string;
  readonly onSent: (hash: Hex) => void;
  readonly onChain: (chainId: Hex) => void;
}

export async function openHonestWallet(options: HonestWalletOptions): Promise<HonestWallet> {
  const { account, rpcUrl, onSent } = options;
  const chainId = await getChainId(createClient({ transport: http(rpcUrl) }));
  const chains = createWalletChains([{ id: chainId, rpcUrl }], chainId);
  const client = chains.client();
  const bundles = createBundles(chains);
  const inTurn = createMutex();

  const wallet: HonestWallet = {
    account,
    client,
    chainId,
    bundles,
    blockNumber: async () => Number(await getBlockNumber(client, { cacheTime: 0 })),
    nextNonce: () => getTransactionCount(client, { address: account.address, blockTag: "pending" }),
    sign: (transaction) => signPageTransaction(chains, account, transaction),
    async sendSigned(signed) {
      const hash = await sendSigned(client, signed);
      onSent(hash);
      return hash;
    },
    send: (transaction) => inTurn(async () => wallet.sendSigned(await wallet.sign(transaction))),
    sendBundle: (parameter) =>
      inTurn(async () => {
        const sent = await bundles.send(account, bundles.read(parameter));
        const hash = bundles.hashOf(sent.id);
        if (hash !== undefined) onSent(hash);
        return sent;
      }),
    announceChain: options.onChain,
    async answer(method, params) {
      switch (method) {
        case "eth_chainId":
          return numberToHex(chainId);
        case "wallet_switchEthereumChain": {
          const { chainId: asked } = (params[0] ?? {}) as { readonly chainId?: unknown };
          chains.client(toChainId(asked));
          return null;
        }
        case "wallet_addEthereumChain":
          await chains.add(params[0]);
          return null;
        case "personal_sign":
          return signMessage(account, params[0]);
        case "eth_signTypedData_v4":
          return signTypedData(chains, account, params[1]);
        case "eth_sendTransaction":
          return asProvider(() => wallet.send(params[0] as TransactionRequest));
        default:
          return asProvider(() => askNode(client, { method, params }));
      }
    },
  };
  return wallet;
}

/** Converts errors of the node. Keeps their code and data, because apps read them. */
async function asProvider<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const { message, ...fields } = toPageError(cause);
    throw Object.assign(new Error(message, { cause }), fields);
  }
}
