import {
  type Hex,
  type TransactionSerializable,
  type TransactionSerialized,
  formatTransaction,
  keccak256,
  recoverTransactionAddress,
  serializeTransaction,
} from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import type { BlockTransaction } from "./rerunBlock.ts";

/**
 * The signed bytes, for which rollups charge a fee.
 *
 * @returns undefined if they cannot be sent again: no sender's signature, or a blob transaction
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
    // A chain's own type, or sent by an impersonated account.
    return undefined;
  }
}
