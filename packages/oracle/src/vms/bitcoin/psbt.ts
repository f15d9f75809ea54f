import { type Hex, concat, hexToBytes, size, toHex } from "viem";

import type { BitcoinOutpoint, BitcoinOutput } from "./bitcoinReader.ts";

/** An input with the output that it spends. */
export interface SpendingInput extends BitcoinOutpoint {
  readonly script: Hex;
  /** Satoshis. */
  readonly amount: bigint;
}

export interface InputSignature {
  /** DER, with the signature's kind. */
  readonly signature: Hex;
  readonly publicKey: Hex;
}

const MAGIC = "0x70736274ff";
const END = "0x00";
const TRANSACTION_VERSION = "0x01000000";
/** Replaceable. */
const SEQUENCE = "0xfdffffff";
const SIGHASH_ALL = "0x01000000";
const KEY = {
  transaction: "0x00",
  witnessUtxo: "0x01",
  partialSignature: "0x02",
  sighash: "0x03",
  derivation: "0x06",
} as const;
/** No fingerprint, and no path. */
const NO_DERIVATION = "0x00000000";

/**
 * The allocator's transaction as a PSBT (BIP-174), in the bytes of the public oracle, whose hash is the withdrawal's id.
 *
 * @param signatures of the inputs, in their order; none before it is signed
 */
export function encodePsbt(
  inputs: readonly SpendingInput[],
  outputs: readonly BitcoinOutput[],
  signatures: readonly InputSignature[] = [],
): Hex {
  const transaction = concat([
    TRANSACTION_VERSION,
    compactSize(inputs.length),
    ...inputs.map(({ txid, vout }) => concat([reversed(`0x${txid}`), littleEndian(vout, 4), compactSize(0), SEQUENCE])),
    compactSize(outputs.length),
    ...outputs.map(({ script, amount }) => outputBytes(amount, script)),
    toHex(0, { size: 4 }),
  ]);
  return concat([
    MAGIC,
    entry(KEY.transaction, transaction),
    END,
    ...inputs.map((input, index) => inputMap(input, signatures[index])),
    ...outputs.map(() => END as Hex),
  ]);
}

/** Entries in the order of their keys. */
function inputMap({ script, amount }: SpendingInput, signed: InputSignature | undefined): Hex {
  const isSigned = signed !== undefined;
  return concat([
    entry(KEY.witnessUtxo, outputBytes(amount, script)),
    ...(isSigned ? [entry(concat([KEY.partialSignature, signed.publicKey]), signed.signature)] : []),
    entry(KEY.sighash, SIGHASH_ALL),
    ...(isSigned ? [entry(concat([KEY.derivation, signed.publicKey]), NO_DERIVATION)] : []),
    END,
  ]);
}

function entry(key: Hex, value: Hex): Hex {
  return concat([compactSize(size(key)), key, compactSize(size(value)), value]);
}

function outputBytes(amount: bigint, script: Hex): Hex {
  return concat([littleEndian(amount, 8), compactSize(size(script)), script]);
}

function compactSize(count: number): Hex {
  if (count < 0xfd) return toHex(count, { size: 1 });
  return count <= 0xffff ? concat(["0xfd", littleEndian(count, 2)]) : concat(["0xfe", littleEndian(count, 4)]);
}

function littleEndian(value: bigint | number, bytes: number): Hex {
  return reversed(toHex(value, { size: bytes }));
}

export function reversed(bytes: Hex): Hex {
  return toHex(hexToBytes(bytes).toReversed());
}
