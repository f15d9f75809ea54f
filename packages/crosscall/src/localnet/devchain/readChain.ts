import {
  type Address,
  BlockNotFoundError,
  erc20Abi,
  type Hex,
  type Transaction,
  TransactionNotFoundError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from "viem";

import { isEvmNative } from "@crosscall/protocol/chains";
import type { DevChain } from "./devChain.ts";

/** Smallest unit. */
export function readBalance({ client }: Pick<DevChain, "client">, currency: string, account: Address): Promise<bigint> {
  if (isEvmNative(currency)) return client.getBalance({ address: account });
  const token = { address: currency as Address, abi: erc20Abi };
  return client.readContract({ ...token, functionName: "balanceOf", args: [account] });
}

/** Time of the chain's next block in Unix seconds; contracts compare deadlines with it. */
export async function chainTime({ client }: Pick<DevChain, "client">): Promise<number> {
  const { timestamp } = await client.getBlock({ blockTag: "pending" });
  return Number(timestamp);
}

/** Undefined if the chain has no such block, or no longer. */
export async function findBlockHash(
  { client }: Pick<DevChain, "client">,
  blockNumber: bigint,
): Promise<Hex | undefined> {
  try {
    return (await client.getBlock({ blockNumber })).hash;
  } catch (error) {
    if (error instanceof BlockNotFoundError) return undefined;
    throw error;
  }
}

/** Undefined if it is in no block. */
export async function findReceipt(
  { client }: Pick<DevChain, "client">,
  hash: string,
): Promise<TransactionReceipt | undefined> {
  try {
    return await client.getTransactionReceipt({ hash: hash as Hex });
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined;
    throw error;
  }
}

/** Whether a block has the confirmations that the chain requires of a deposit, so that no reorg is expected. */
export async function isConfirmed(
  { client, depositConfirmations }: Pick<DevChain, "client" | "depositConfirmations">,
  blockNumber: bigint | number,
): Promise<boolean> {
  if (depositConfirmations === 0) return true;
  return (await client.getBlockNumber()) - BigInt(blockNumber) >= BigInt(depositConfirmations);
}

/** Undefined if the chain does not know it, pending or included. */
export async function readTransaction(
  { client }: Pick<DevChain, "client">,
  hash: Hex,
): Promise<Transaction | undefined> {
  try {
    return await client.getTransaction({ hash });
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return undefined;
    throw error;
  }
}
