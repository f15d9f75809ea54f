import {
  formatTransactionReceipt,
  type Hash,
  type Hex,
  numberToHex,
  type RpcTransactionReceipt,
  type TransactionReceipt,
} from "viem";

import { TransactionFailedError } from "@crosscall/protocol/core";
import type { FillTransaction } from "../replay/encodeFill.ts";
import type { Fork } from "../replay/fork/fork.ts";

/** Fields in which nodes return the hash of an included transaction along with an error. */
const HASH_FIELDS = ["transactionHash", "txHash"] as const;

/**
 * Sends from an account without a known key, and waits for inclusion, even if it reverts.
 *
 * @throws {@link TransactionFailedError} if it is not included
 */
export async function sendFill(
  fork: Fork,
  { from, to, data, value }: FillTransaction,
  gas: bigint = fork.environment.gasLimit,
): Promise<TransactionReceipt> {
  await fork.request("hardhat_impersonateAccount", [from]);
  const hash = await send(fork, {
    from,
    to,
    data,
    value: numberToHex(value),
    gas: numberToHex(gas),
    gasPrice: numberToHex(fork.environment.baseFeePerGas),
  });
  await fork.request("hardhat_stopImpersonatingAccount", [from]);
  const raw = (await receiptOf(fork, hash)) ?? (await mineAndRead(fork, hash));
  if (raw !== null) return formatTransactionReceipt(raw);
  throw new TransactionFailedError({
    message: `the fill ${hash} is in no block`,
    hint: "Leave no other transactions waiting on the chain of the test.",
    chainId: fork.chainId,
    txHash: hash,
  });
}

async function send(fork: Fork, transaction: Readonly<Record<string, Hex>>): Promise<Hash> {
  try {
    return (await fork.request("eth_sendTransaction", [transaction])) as Hash;
  } catch (error) {
    // Hardhat's node throws for a transaction that reverts, after including it.
    const hash = hashIn(error);
    if (hash !== undefined) return hash;
    throw new TransactionFailedError({
      message: "the node does not take the fill",
      hint: "See the cause; a chain of a test must let accounts be impersonated.",
      chainId: fork.chainId,
      cause: error,
    });
  }
}

async function mineAndRead(fork: Fork, hash: Hash): Promise<RpcTransactionReceipt | null> {
  await fork.request("evm_mine");
  return receiptOf(fork, hash);
}

async function receiptOf(fork: Fork, hash: Hash): Promise<RpcTransactionReceipt | null> {
  return (await fork.request("eth_getTransactionReceipt", [hash])) as RpcTransactionReceipt | null;
}

function hashIn(value: unknown): Hash | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const field of HASH_FIELDS) {
    const hash: unknown = (value as Readonly<Record<string, unknown>>)[field];
    if (typeof hash === "string") return hash as Hash;
  }
  const { data, cause } = value as { readonly data?: unknown; readonly cause?: unknown };
  return hashIn(data) ?? hashIn(cause);
}
