import type { Hex } from "viem";

import { InvalidInputError } from "../core/errors.ts";
import { readHex } from "../vms/readText.ts";
import type { VmType } from "../vms/vmCodec.ts";

/** A spent output. */
export interface BitcoinOutput {
  /** Without 0x, as in explorers. */
  readonly txid: string;
  readonly vout: number;
  /** Satoshi, decimal. */
  readonly value: string;
}

export const BITCOIN_OUTPUT = "struct Output { bytes32 txid; uint32 index; uint64 value; bytes scriptPubKey; }";

/**
 * With the transaction id in the byte order of the hash.
 *
 * @param script locking script
 */
export function toBitcoinOutput({ txid, vout, value }: BitcoinOutput, script: Hex) {
  const what = "a transaction id of 32 bytes";
  const hex = readHex(txid.startsWith("0x") ? txid : `0x${txid}`, 32, { field: "txid", what });
  const reversed = (hex.slice(2).match(/../gu) ?? []).toReversed().join("");
  return { txid: `0x${reversed}`, index: vout, value: BigInt(value), scriptPubKey: script } as const;
}

export function missingAdditionalData(vmType: VmType): never {
  throw new InvalidInputError({
    field: `additionalData.${vmType}`,
    value: undefined,
    reason: "withdrawals of this family need it",
    hint: "Pass additionalData.",
  });
}
