import { type Account, type Address, formatTransactionRequest, type Hex, type TransactionRequestEIP1559 } from "viem";
import { waitForTransactionReceipt } from "viem/actions";

import { TransactionFailedError } from "@crosscall/sdk/internal/core/errors";
import type { ChainClient } from "./chainClient.ts";

/** A transaction of the network's own accounts. */
export interface OwnTransaction {
  readonly to: Address;
  readonly data?: Hex;
  /** Wei. */
  readonly value?: bigint;
  /** Gas limit: given, so that nothing is estimated on a state that earlier transactions are still to make. */
  readonly gas: bigint;
}

/**
 * Sends transactions of the client's account one after another, without waiting for their blocks in between, and then
 * waits for all.
 *
 * @throws {@link TransactionFailedError} when one reverted
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
      // Room for the blocks in between: many deployments raise the price of gas.
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
      message: `transaction ${hash} of the network on chain ${chain.id} reverted`,
      hint: "Start the network on a fresh chain.",
      chainId: chain.id,
      txHash: hash,
    });
  }
}

type WholeTransaction = OwnTransaction &
  Pick<TransactionRequestEIP1559, "maxFeePerGas" | "maxPriorityFeePerGas" | "nonce">;

/** An account that the node has itself signs there. */
async function send({ account, chain, ...client }: ChainClient<Account>, transaction: WholeTransaction): Promise<Hex> {
  if (account.signTransaction === undefined) {
    const request = formatTransactionRequest({ from: account.address, ...transaction });
    return client.request({ method: "eth_sendTransaction", params: [request] });
  }
  const serializedTransaction = await account.signTransaction({ type: "eip1559", chainId: chain.id, ...transaction });
  return client.sendRawTransaction({ serializedTransaction });
}
