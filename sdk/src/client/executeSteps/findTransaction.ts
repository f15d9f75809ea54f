import type { Client, Hex, Transaction } from "viem";
import { getBlock, getBlockNumber, getTransactionCount } from "viem/actions";

import { isSameAddress } from "../../chains/address.ts";

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
  while (low < high) {
    const middle = (low + high) / 2n;
    const count = await getTransactionCount(client, { address: from, blockNumber: middle });
    if (count > nonce) high = middle;
    else low = middle + 1n;
  }
  const { transactions } = await getBlock(client, { blockNumber: high, includeTransactions: true });
  return transactions.find((transaction) => isSameAddress(transaction.from, from) && transaction.nonce === nonce);
}

/** In the mempool, if the node exposes it. */
export async function findPending(client: Client, payload: Payload): Promise<Hex | undefined> {
  const { transactions } = await getBlock(client, { blockTag: "pending", includeTransactions: true });
  return transactions.find((transaction) => doesTheSame(transaction, payload))?.hash;
}

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
