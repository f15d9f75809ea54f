import type { Client, Hex, Transaction } from "viem";
import { getBlock, getBlockNumber, getTransactionCount } from "viem/actions";

import { isSameAddress } from "../../chains/address.ts";

/** A transaction by its content: what it does, whoever sees it under whichever hash. */
export interface Payload {
  readonly from: string;
  readonly to: string;
  readonly data: string;
  readonly value: bigint;
}

/**
 * The transaction that took a nonce which the account has used up, or undefined when a node without history cannot
 * tell: the first block after which the account's count is above the nonce has it.
 *
 * @param fromBlock a block before it
 */
export async function findByNonce(
  client: Client,
  { from, nonce, fromBlock }: { from: Hex; nonce: number; fromBlock: bigint },
): Promise<Transaction | undefined> {
  let low = fromBlock;
  let high = await getBlockNumber(client, { cacheTime: 0 });
  while (low < high) {
    const middle = (low + high) / 2n;
    const count = await getTransactionCount(client, { address: from, blockNumber: middle });
    if (count > nonce) high = middle;
    else low = middle + 1n;
  }
  const { transactions } = await getBlock(client, { blockNumber: high, includeTransactions: true });
  return transactions.find((transaction) => isSameAddress(transaction.from, from) && transaction.nonce === nonce);
}

/** A transaction with this content that waits for its block, where the node shows those that do. */
export async function findPending(client: Client, payload: Payload): Promise<Hex | undefined> {
  const { transactions } = await getBlock(client, { blockTag: "pending", includeTransactions: true });
  return transactions.find((transaction) => doesTheSame(transaction, payload))?.hash;
}

/** Whether a transaction does what a step wants. */
export function doesTheSame(
  { from, to, input, value }: Pick<Transaction, "from" | "to" | "input" | "value">,
  payload: Payload,
): boolean {
  return (
    isSameAddress(from, payload.from) &&
    to !== null &&
    isSameAddress(to, payload.to) &&
    input.toLowerCase() === payload.data.toLowerCase() &&
    value === payload.value
  );
}
