import {
  type Hex,
  type TransactionSerializable,
  type TransactionSerialized,
  formatTransaction,
  keccak256,
  recoverTransactionAddress,
  serializeTransaction,
} from "viem";

import { isSameAddress } from "@crosscall/sdk/internal/chains/address";
import type { BlockTransaction } from "./rerunBlock.ts";

/**
 * The bytes that were sent, signature and all: rollups take a fee for just these bytes.
 *
 * @returns undefined where nobody can send them again: the sender has not signed it, or it came with blobs
 */
export async function signedTransaction(transaction: BlockTransaction): Promise<Hex | undefined> {
  try {
    // viem's type has a variant per transaction type, but its formatter takes the fields of any of them.
    const rpcFields: object = transaction;
    const { input, r, s, v, yParity, ...fields } = formatTransaction(rpcFields);
    if (fields.type === "eip4844") return undefined;
    const unsigned = { ...fields, data: input } as TransactionSerializable;
    const bytes: TransactionSerialized = serializeTransaction(unsigned, { r, s, v, yParity });
    if (keccak256(bytes) !== transaction.hash.toLowerCase()) return undefined;
    const sender = await recoverTransactionAddress({ serializedTransaction: bytes });
    return isSameAddress(sender, transaction.from) ? bytes : undefined;
  } catch {
    // Of a type of the chain's own, or made up by a node on which anyone sends for anyone.
    return undefined;
  }
}
