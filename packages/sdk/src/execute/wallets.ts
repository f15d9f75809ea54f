import {
  type Account,
  type Chain,
  formatTransactionRequest,
  type Hex,
  type LocalAccount,
  numberToHex,
  type RpcTransactionRequest,
  type Transport,
  type WalletClient,
} from "viem";
import { signMessage, signTypedData } from "viem/actions";

import { isSameAddress } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import { boundClient, type WaitLimits, withinPrompt } from "./boundClient.ts";
import { type EthersSigner, fromEthersSigner } from "./ethersSigner.ts";
import type { FinalTransaction, StepWallet } from "./stepWallet.ts";
import { switchChain } from "./switchChain.ts";
import { typedDataToSign } from "./typedDataToSign.ts";
import { readSignature, readTransactionHash } from "./walletAnswers.ts";

/** A wallet that executes steps: a viem wallet client with an account, or an ethers v6 signer with a provider. */
export type ExecutionWallet = ViemWallet | EthersSigner;

export interface StepWallets {
  /** Switches the wallet's chain if needed. */
  on(chainId: number, from: string): Promise<StepWallet>;
  signer(chainId: number): StepWallet | undefined;
}

/** `wallet` serves the chains that `wallets` does not have. Every request to them takes the signal and ends. */
export async function openWallets(
  wallet: ExecutionWallet | undefined,
  wallets: Readonly<Record<number, ExecutionWallet>> = {},
  limits: WaitLimits = {},
): Promise<StepWallets> {
  const fallback = wallet === undefined ? undefined : await openWallet(wallet, "wallet", limits);
  const byChain = new Map<number, StepWallet>();
  for (const [chainId, each] of Object.entries(wallets)) {
    byChain.set(Number(chainId), await openWallet(each, `wallets[${chainId}]`, limits));
  }
  const chains = [wallet, ...Object.values(wallets)].flatMap((each) => definedChain(each) ?? []);
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
      await switchChain(found.client, chainId, { ...limits, chain: chains.find(({ id }) => id === chainId) });
      return found;
    },
    signer: (chainId) => find(chainId) ?? [...byChain.values()][0],
  };
}

export async function openWallet(wallet: ExecutionWallet, field: string, limits: WaitLimits = {}): Promise<StepWallet> {
  if ("getAddress" in wallet) return await fromEthersSigner(wallet, field, limits);
  const account = wallet.account as Account | undefined;
  if (account?.type === "json-rpc" || account?.type === "local") return fromViemWallet(wallet, limits);
  throw new InvalidInputError({
    field: `${field}.account`,
    value: account?.type,
    reason: "the wallet client needs an account that sends transactions",
    hint: "Pass `account` to createWalletClient. For a smart account, use its EIP-1193 provider as transport.",
  });
}

/** Can be offered to a wallet that does not know the chain. */
function definedChain(wallet: ExecutionWallet | undefined): Chain | undefined {
  const chain = wallet !== undefined && "chain" in wallet ? wallet.chain : undefined;
  return chain?.rpcUrls.default.http[0] === undefined ? undefined : chain;
}

/** A viem wallet client with an account. The chain id is read from its node. */
export type ViemWallet = WalletClient<Transport, Chain | undefined, Account>;

/** An account that holds its key signs before anything is sent. */
export function fromViemWallet(wallet: ViemWallet, limits: WaitLimits = {}): StepWallet {
  const { account } = wallet;
  const client = boundClient(wallet, limits);
  const local = account.type === "local" ? account : undefined;
  const signAuthorization = local?.signAuthorization;
  // Requests of the client end by themselves.
  const sign = async (method: string, ask: () => Promise<Hex>): Promise<Hex> =>
    readSignature(client, account.address, await (local === undefined ? ask() : withinPrompt(method, limits, ask)));
  return {
    address: account.address,
    client,
    signTransaction:
      local === undefined
        ? undefined
        : (transaction) => withinPrompt("signTransaction", limits, () => signLocally(local, transaction)),
    signAuthorization:
      signAuthorization === undefined
        ? undefined
        : (authorization) => withinPrompt("signAuthorization", limits, () => signAuthorization(authorization)),
    mayBundle: local === undefined,
    async sendTransaction(transaction) {
      if (local !== undefined) {
        const signed = await withinPrompt("signTransaction", limits, () => signLocally(local, transaction));
        return readTransactionHash(await client.request({ method: "eth_sendRawTransaction", params: [signed] }));
      }
      // Not viem's action: it would prompt again, by another method, after some errors.
      const request = toRpcTransaction(wallet, transaction);
      return readTransactionHash(await client.request({ method: "eth_sendTransaction", params: [request] }));
    },
    signMessage: (message) => sign("signMessage", () => signMessage(client, { account, message })),
    signTypedData: (data) => sign("signTypedData", () => signTypedData(client, { account, ...typedDataToSign(data) })),
  };
}

function signLocally(account: LocalAccount, { step, nonce, gas, fees }: FinalTransaction): Promise<Hex> {
  const { chainId, to, data, value } = step;
  const transaction = { chainId, to, data, value, nonce, gas };
  return "gasPrice" in fees
    ? account.signTransaction({ type: "legacy", ...transaction, ...fees })
    : account.signTransaction({ type: "eip1559", ...transaction, ...fees });
}

/** With the chain, so that a wallet that was switched in between refuses it. */
function toRpcTransaction({ account, chain }: ViemWallet, { step, nonce, gas, fees }: FinalTransaction) {
  const { chainId, to, data, value } = step;
  const format = chain?.formatters?.transactionRequest?.format ?? formatTransactionRequest;
  const type = "gasPrice" in fees ? "legacy" : "eip1559";
  const parts = { account, type, to, data, value, nonce, gas, ...fees } as never;
  return { ...(format(parts, "sendTransaction") as RpcTransactionRequest), chainId: numberToHex(chainId) };
}
