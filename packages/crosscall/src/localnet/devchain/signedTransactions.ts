import { type Hex, keccak256, serializeTransaction, type Transaction, type TransactionSerializable } from "viem";

import type { DevChain } from "./devChain.ts";

/**
 * The signed bytes of all transactions from a block to the latest, in their order. Those that no account signed, such as
 * a node's impersonations, are left out.
 */
export async function readSignedTransactions({ client }: Pick<DevChain, "client">, firstBlock: number): Promise<Hex[]> {
  const latest = await client.getBlockNumber();
  const signed: Hex[] = [];
  for (let blockNumber = BigInt(firstBlock); blockNumber <= latest; blockNumber += 1n) {
    const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true });
    signed.push(...transactions.flatMap((transaction) => toSigned(transaction) ?? []));
  }
  return signed;
}

/** Undefined if these bytes would not be the same transaction. */
function toSigned({ hash, input: data, r, s, v, yParity, ...transaction }: Transaction): Hex | undefined {
  if (transaction.type === "eip4844" || transaction.typeHex === null) return undefined;
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, ...fields } = transaction;
  const fees =
    transaction.type === "legacy" || transaction.type === "eip2930"
      ? { gasPrice }
      : { maxFeePerGas, maxPriorityFeePerGas };
  const signed = serializeTransaction({ ...fields, ...fees, data } as TransactionSerializable, {
    r,
    s,
    ...(yParity === undefined ? { v } : { yParity }),
  });
  return keccak256(signed) === hash ? signed : undefined;
}
