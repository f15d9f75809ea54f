import {
  BaseError,
  type Client,
  type Hex,
  HttpRequestError,
  TimeoutError,
  type Transaction,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from "viem";
import { getBlock, getBlockNumber, getTransactionCount, getTransactionReceipt } from "viem/actions";

import { isSameAddress } from "@crosscall/protocol/chains";
import { kitErrorIn } from "./boundClient.ts";

export interface Inclusion {
  /** Differs from the journal's if the payment was replaced with higher fees, or made under another hash. */
  readonly txHash: Hex;
  readonly receipt: TransactionReceipt;
}

export async function findReceipt(client: Client, hash: Hex): Promise<Inclusion | undefined> {
  try {
    return { txHash: hash, receipt: await getTransactionReceipt(client, { hash }) };
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined;
    throw error;
  }
}

/** Content of a transaction, independent of its hash. */
export interface Payload {
  readonly from: string;
  readonly to: string;
  readonly data: string;
  readonly value: bigint;
}

/**
 * The transaction that used a nonce: it is in the first block after which the account's count is above it. Undefined if
 * the node has no old state.
 *
 * @param fromBlock an earlier block
 */
export async function findByNonce(
  client: Client,
  { from, nonce, fromBlock }: { from: Hex; nonce: number; fromBlock: bigint },
): Promise<Transaction | undefined> {
  let low = fromBlock;
  let high = await getBlockNumber(client, { cacheTime: 0 });
  try {
    while (low < high) {
      const middle = (low + high) / 2n;
      const count = await getTransactionCount(client, { address: from, blockNumber: middle });
      if (count > nonce) high = middle;
      else low = middle + 1n;
    }
  } catch (error) {
    const isSilence = error instanceof HttpRequestError || error instanceof TimeoutError;
    if (isSilence || !(error instanceof BaseError) || kitErrorIn(error) !== undefined) throw error;
    return undefined;
  }
  const { transactions } = await getBlock(client, { blockNumber: high, includeTransactions: true });
  return transactions.find((transaction) => isSameAddress(transaction.from, from) && transaction.nonce === nonce);
}

/**
 * In the mempool, if the node exposes it.
 *
 * @param isInBatch whether the call may be one of several in another transaction
 */
export async function findPending(client: Client, payload: Payload, isInBatch: boolean): Promise<Hex | undefined> {
  const { transactions } = await getBlock(client, { blockTag: "pending", includeTransactions: true });
  return transactions.find(
    (transaction) => performs(transaction, payload) || (isInBatch && contains(transaction, payload)),
  )?.hash;
}

/**
 * Whether a transaction of the account makes the call of a step. Wallets add data to a call, such as their own id, and let the user
 * change the amount of an approval.
 */
export function performs(
  { from, to, input, value }: Pick<Transaction, "from" | "to" | "input" | "value">,
  payload: Payload,
): boolean {
  if (to === null || !isSameAddress(from, payload.from) || !isSameAddress(to, payload.to)) return false;
  const [made, asked] = [input.toLowerCase(), payload.data.toLowerCase()];
  if (value !== payload.value) return false;
  if (asked === "0x") return made === asked;
  return made.startsWith(asked.startsWith(APPROVE) ? asked.slice(0, APPROVED_SPENDER) : asked);
}

/** Selector of `approve(address,uint256)`. */
const APPROVE = "0x095ea7b3";

/** Characters of the selector and the spender. */
const APPROVED_SPENDER = APPROVE.length + 64;

export function contains({ input }: Pick<Transaction, "input">, { data }: Pick<Payload, "data">): boolean {
  return data !== "0x" && input.toLowerCase().includes(data.slice(2).toLowerCase());
}
