import { type Account, type Address, formatTransactionRequest, type Hex, type TransactionRequestEIP1559 } from "viem";
import { waitForTransactionReceipt } from "viem/actions";

import { TransactionFailedError } from "@crosscall/protocol/core";
import type { ChainClient } from "./chainClient.ts";

export interface OwnTransaction {
  readonly to: Address;
  readonly data?: Hex;
  /** Wei. */
  readonly value?: bigint;
  /** Gas limit. An estimate would not include the effects of earlier transactions. */
  readonly gas: bigint;
}

/**
 * Sends all transactions without waiting in between, then waits for all receipts.
 *
 * @throws {@link TransactionFailedError} if a transaction reverted
 */
export async function sendAll(client: ChainClient<Account>, transactions: readonly OwnTransaction[]): Promise<void> {
  const { account, chain } = client;
  if (transactions.length === 0) return;
  const [firstNonce, fees] = await Promise.all([
    client.getTransactionCount({ address: account.address, blockTag: "pending" }),
    client.estimateFeesPerGas(),
  ]);
  const hashes: Hex[] = [];
  for (const [index, transaction] of transactions.entries()) {
    const whole = {
      nonce: firstNonce + index,
      // Many deployments raise the base fee.
      maxFeePerGas: fees.maxFeePerGas * 4n,
      maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
      ...transaction,
    };
    hashes.push(await send(client, whole));
  }
  for (const hash of hashes.reverse()) {
    const { status } = await waitForTransactionReceipt(client, { hash });
    if (status === "success") continue;
    throw new TransactionFailedError({
      message: `setup transaction ${hash} on chain ${chain.id} reverted`,
      hint: "Start the network on a fresh chain.",
      chainId: chain.id,
      txHash: hash,
    });
  }
}

type WholeTransaction = OwnTransaction &
  Pick<TransactionRequestEIP1559, "maxFeePerGas" | "maxPriorityFeePerGas" | "nonce">;

/** Sends a transaction. The node signs for accounts that it holds. */
async function send({ account, chain, ...client }: ChainClient<Account>, transaction: WholeTransaction): Promise<Hex> {
  if (account.signTransaction === undefined) {
    const request = formatTransactionRequest({ from: account.address, ...transaction });
    return client.request({ method: "eth_sendTransaction", params: [request] });
  }
  const serializedTransaction = await account.signTransaction({ type: "eip1559", chainId: chain.id, ...transaction });
  return client.sendRawTransaction({ serializedTransaction });
}
