import { RawTx, RawWitness, Transaction } from "@scure/btc-signer";
import { isPointCompressed, verify, verifySchnorr } from "tiny-secp256k1";
import { bytesToHex, concatBytes, hexToBytes, ripemd160, sha256, stringToBytes, toBytes } from "viem";

import { readSignature } from "../signers/der.ts";

type Witness = readonly Uint8Array[];
type RawTransaction = ReturnType<typeof RawTx.decode>;

const TAG = sha256(stringToBytes("BIP0322-signed-message"), "bytes");

/** Kind of signatures that cover the whole transaction, and the short form of Taproot. */
const WHOLE = 1;
const DEFAULT = 0;

const SCHNORR_BYTES = 64;

/**
 * BIP-322, as a witness (simple form) or a transaction with one input and no time locks (full form).
 *
 * @param script a witness program of one key: of version 0 with 20 bytes, or Taproot, by its key path
 *
 * @throws if the signature is malformed
 */
export function isSignedByWitness(text: string, script: Uint8Array, signature: Uint8Array): boolean {
  const txid = committedId(text, script);
  const { version, witness } = readSpending(txid, signature);
  const { inputs, outputs, lockTime } = spendingOf(txid, version);
  const spending = new Transaction({ version, lockTime, allowUnknownVersion: true, allowUnknownOutputs: true });
  for (const input of inputs) spending.addInput(input);
  for (const output of outputs) spending.addOutput(output);
  return script[0] === 0 ? isSignedByKey(spending, script, witness) : isSignedOnTaproot(spending, script, witness);
}

function isSignedByKey(spending: Transaction, script: Uint8Array, [signed, key, ...rest]: Witness): boolean {
  if (signed === undefined || key === undefined || rest.length > 0 || signed.at(-1) !== WHOLE) return false;
  const hash = script.subarray(2);
  if (!isPointCompressed(key) || ripemd160(sha256(key), "hex") !== bytesToHex(hash)) return false;
  const { r, s } = readSignature(signed.subarray(0, -1));
  const code = concatBytes([hexToBytes("0x76a914"), hash, hexToBytes("0x88ac")]);
  const digest = spending.preimageWitnessV0(0, code, WHOLE, 0n);
  return verify(digest, key, concatBytes([toBytes(r, { size: 32 }), toBytes(s, { size: 32 })]), true);
}

function isSignedOnTaproot(spending: Transaction, script: Uint8Array, [signed, ...rest]: Witness): boolean {
  if (signed === undefined || rest.length > 0) return false;
  const [kind = DEFAULT, ...more] = signed.subarray(SCHNORR_BYTES);
  const isWhole = signed.length === SCHNORR_BYTES || kind === WHOLE;
  if (!isWhole || more.length > 0) return false;
  const digest = spending.preimageWitnessV1(0, [script], kind, [0n]);
  return verifySchnorr(digest, script.subarray(2), signed.subarray(0, SCHNORR_BYTES));
}

/** Id of the virtual transaction that commits to the text, and whose output the signature spends. */
function committedId(text: string, script: Uint8Array): Uint8Array {
  const hash = sha256(concatBytes([TAG, TAG, stringToBytes(text)]), "bytes");
  const bytes = RawTx.encode({
    version: 0,
    segwitFlag: false,
    inputs: [
      {
        txid: new Uint8Array(32),
        index: 0xffff_ffff,
        finalScriptSig: concatBytes([Uint8Array.of(0, hash.length), hash]),
        sequence: 0,
      },
    ],
    outputs: [{ amount: 0n, script }],
    lockTime: 0,
  });
  return sha256(sha256(bytes, "bytes"), "bytes").toReversed();
}

/** The virtual transaction that is signed. Its output is unspendable. */
function spendingOf(txid: Uint8Array, version: number): RawTransaction {
  return {
    version,
    segwitFlag: false,
    inputs: [{ txid, index: 0, finalScriptSig: new Uint8Array(), sequence: 0 }],
    outputs: [{ amount: 0n, script: Uint8Array.of(0x6a) }],
    lockTime: 0,
  };
}

/** A full signature for anything else has no witness here. */
function readSpending(txid: Uint8Array, signature: Uint8Array): { version: number; witness: Witness } {
  const witness = readWitness(signature);
  if (witness !== undefined) return { version: 0, witness };
  const { witnesses = [], ...transaction } = RawTx.decode(signature);
  const { version } = transaction;
  const unsigned = RawTx.encode({ ...transaction, segwitFlag: false });
  const isForText = bytesToHex(unsigned) === bytesToHex(RawTx.encode(spendingOf(txid, version)));
  return { version, witness: (isForText ? witnesses[0] : undefined) ?? [] };
}

/** Undefined for other bytes. */
function readWitness(signature: Uint8Array): Witness | undefined {
  try {
    return RawWitness.decode(signature);
  } catch {
    return undefined;
  }
}
