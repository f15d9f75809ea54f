import {
  type AccessList,
  type Address,
  type Client,
  type Hex,
  hexToBigInt,
  hexToNumber,
  isHex,
  keccak256,
  type LocalAccount,
  type SendTransactionParameters,
  type TransactionSerializable,
} from "viem";
import { getTransactionReceipt, prepareTransactionRequest, sendRawTransaction } from "viem/actions";

import { compact } from "@crosscall/protocol/core";
import { ProviderError } from "./providerError.ts";
import type { WalletChains } from "./walletChains.ts";

/** A transaction in a page's request. */
interface PageTransaction {
  readonly chainId?: Hex;
  readonly to?: Address;
  readonly data?: Hex;
  /** Older name of `data`. */
  readonly input?: Hex;
  readonly value?: Hex;
  readonly gas?: Hex;
  readonly gasPrice?: Hex;
  readonly maxFeePerGas?: Hex;
  readonly maxPriorityFeePerGas?: Hex;
  readonly nonce?: Hex;
  readonly accessList?: AccessList;
  /** EIP-7702 authorizations, signed by any account. */
  readonly authorizationList?: readonly PageAuthorization[];
}

interface PageAuthorization {
  readonly address: Address;
  readonly chainId: Hex;
  readonly nonce: Hex;
  readonly r: Hex;
  readonly s: Hex;
  readonly yParity: Hex;
}

/** A transaction that is ready to send. */
export interface SignedTransaction {
  readonly hash: Hex;
  readonly serialized: Hex;
  /** The signed transaction's fields, with nonce and fees. */
  readonly prepared: TransactionSerializable;
}

/** Completes and signs a transaction from a page for the active chain. */
export async function signPageTransaction(
  chains: WalletChains,
  account: LocalAccount,
  parameter: unknown,
): Promise<SignedTransaction> {
  const transaction = parameter as PageTransaction;
  const { chainId, to, data = transaction.input, nonce, accessList, authorizationList } = transaction;
  if (chainId !== undefined && Number(chainId) !== chains.activeId) {
    throw new ProviderError("invalidParams", `chainId ${Number(chainId)} is not the active chain ${chains.activeId}.`);
  }
  const client = chains.client();
  const amounts = Object.fromEntries(
    (["value", "gas", "gasPrice", "maxFeePerGas", "maxPriorityFeePerGas"] as const).map((name) => {
      const amount = transaction[name];
      return [name, amount === undefined ? undefined : hexToBigInt(amount)];
    }),
  );
  const fields = compact({
    to,
    data,
    nonce: nonce === undefined ? undefined : hexToNumber(nonce),
    accessList,
    authorizationList: authorizationList?.map(toAuthorization),
    ...amounts,
  });
  return sign(client, { ...fields, account, chain: client.chain });
}

/** Completes, signs and sends a transaction. */
export async function submit(
  client: Client,
  transaction: SendTransactionParameters & { readonly account: LocalAccount },
): Promise<Hex> {
  return sendSigned(client, await sign(client, transaction));
}

async function sign(
  client: Client,
  transaction: SendTransactionParameters & { readonly account: LocalAccount },
): Promise<SignedTransaction> {
  const prepared = (await prepareTransactionRequest(client, transaction)) as TransactionSerializable;
  const serialized = await transaction.account.signTransaction(prepared);
  return { hash: keccak256(serialized), serialized, prepared };
}

/**
 * Sends a signed transaction. If the transaction reverts, a node in this process includes it, but unlike other nodes
 * returns an error instead of the hash.
 */
export async function sendSigned(
  client: Client,
  { hash, serialized }: Pick<SignedTransaction, "hash" | "serialized">,
): Promise<Hex> {
  try {
    await sendRawTransaction(client, { serializedTransaction: serialized });
  } catch (error) {
    const receipt = await getTransactionReceipt(client, { hash }).catch(() => undefined);
    if (receipt === undefined) throw error;
  }
  return hash;
}

function toAuthorization({ address, chainId, nonce, r, s, yParity }: PageAuthorization) {
  return { address, chainId: Number(chainId), nonce: Number(nonce), r, s, yParity: Number(yParity) };
}

/** Signs bytes or text (EIP-191). */
export async function signMessage(account: LocalAccount, message: unknown): Promise<Hex> {
  if (typeof message !== "string") throw new ProviderError("invalidParams", "The message must be a string.");
  return account.signMessage({ message: isHex(message) ? { raw: message } : message });
}

/** Signs typed data (EIP-712). Like common wallets, rejects data for a chain other than the active one. */
export async function signTypedData(chains: WalletChains, account: LocalAccount, data: unknown): Promise<Hex> {
  const typed = (typeof data === "string" ? JSON.parse(data) : data) as Parameters<LocalAccount["signTypedData"]>[0];
  const chainId = (typed.domain as { readonly chainId?: unknown } | undefined)?.chainId;
  if (chainId !== undefined && Number(chainId) !== chains.activeId) {
    throw new ProviderError("invalidParams", `The data is for chain ${Number(chainId)}, not for the active one.`);
  }
  return account.signTypedData(typed);
}
