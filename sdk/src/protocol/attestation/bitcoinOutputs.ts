import type { Hex } from "viem";

import { readHex } from "../vms/readText.ts";

/** An output that a withdrawal on Bitcoin spends, as callers write it. */
export interface BitcoinOutput {
  /** Its transaction, without 0x, as explorers show it. */
  readonly txid: string;
  readonly vout: number;
  /** Satoshi, decimal. */
  readonly value: string;
}

/** ABI parameters of an output that is spent. */
export const BITCOIN_OUTPUT_PARAMETERS = [
  { name: "txid", type: "bytes32" },
  { name: "index", type: "uint32" },
  { name: "value", type: "uint64" },
  { name: "scriptPubKey", type: "bytes" },
] as const;

/**
 * An output as the allocator takes it: the bytes of its transaction's id in the order that the chain hashes them.
 *
 * @param script what it is locked by
 * @throws {@link InvalidInputError} when the transaction's id is none
 */
export function toBitcoinOutput({ txid, vout, value }: BitcoinOutput, script: Hex) {
  const what = "a transaction id of 32 bytes";
  const hex = readHex(txid.startsWith("0x") ? txid : `0x${txid}`, 32, { field: "txid", what });
  const reversed = (hex.slice(2).match(/../gu) ?? []).toReversed().join("");
  return { txid: `0x${reversed}`, index: vout, value: BigInt(value), scriptPubKey: script } as const;
}
