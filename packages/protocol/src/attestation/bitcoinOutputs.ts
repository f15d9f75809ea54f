import { concat, type Hex, size, slice, toHex } from "viem";

import { InvalidInputError } from "../core/errors.ts";
import { BITCOIN_CODEC } from "../vms/bitcoin.ts";
import { readHex, rejectText } from "../vms/readText.ts";
import type { VmType } from "../vms/vmCodec.ts";

/** A spent output. */
export interface BitcoinOutput {
  /** Transaction id in hex without 0x, as in explorers. */
  readonly txid: string;
  readonly vout: number;
  /** Satoshi, decimal. */
  readonly value: string;
}

export const BITCOIN_OUTPUT = "struct Output { bytes32 txid; uint32 index; uint64 value; bytes scriptPubKey; }";

/**
 * Converts an output, with the transaction id in hash byte order.
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

const LEGACY_PREFIX = "0xff";
const PAY_TO_KEY_HASH = "0x00";
const PAY_TO_SCRIPT_HASH = "0x05";

/** Opcode that pushes 1; the opcodes that push up to 16 follow. */
const OP_1 = 0x51;

/**
 * Returns the locking script of outputs to an address.
 * @param field path of the address, for the error
 */
export function bitcoinScript(address: string, field: string): Hex {
  const encoded = BITCOIN_CODEC.encodeAddress(address, field);
  if (!encoded.startsWith(LEGACY_PREFIX)) {
    const [version, program] = [Number(slice(encoded, 0, 1)), slice(encoded, 1)];
    const push = toHex(size(program), { size: 1 });
    return concat([toHex(version === 0 ? 0 : OP_1 + version - 1, { size: 1 }), push, program]);
  }
  const [version, hash] = [slice(encoded, 1, 2), slice(encoded, 2)];
  if (version === PAY_TO_KEY_HASH) return concat(["0x76a914", hash, "0x88ac"]);
  if (version === PAY_TO_SCRIPT_HASH) return concat(["0xa914", hash, "0x87"]);
  return rejectText(address, { field, what: "a mainnet address" });
}
