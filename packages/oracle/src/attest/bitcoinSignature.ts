import { RawTx, RawWitness, Transaction } from "@scure/btc-signer";
import { isPointCompressed, verify, verifySchnorr } from "tiny-secp256k1";
import {
  bytesToHex,
  concat,
  concatBytes,
  type Hex,
  hexToBytes,
  isHex,
  recoverPublicKey,
  ripemd160,
  sha256,
  size,
  slice,
  stringToBytes,
  stringToHex,
  toBytes,
  toHex,
} from "viem";

import { bitcoinScript } from "@crosscall/protocol/attestation";
import { readSignature } from "../signers/der.ts";

/** Prefix of signed messages. */
const MAGIC = "\u0018Bitcoin Signed Message:\n";

/** Of BIP-137. */
const SIGNATURE_BYTES = 65;

/** Script of one key: version 0 witness program with a key hash, or Taproot. */
const PROGRAM_OF_KEY = /^0x(?:0014.{40}|5120.{64})$/u;

/** By locking script. */
interface AddressKind {
  /**
   * First byte of signatures for this kind of address, without parity. Some wallets use the general first byte instead.
   */
  readonly ownHeader: number | undefined;
  readonly scriptOf: (publicKey: Hex) => Hex;
}

/** First byte of a signature with an uncompressed key; add four for a compressed key. */
const FIRST_HEADER = 27;
const COMPRESSED = 4;

/**
 * Checks a BIP-137 or BIP-322 signature. Taproot addresses only use BIP-322, and legacy addresses only BIP-137.
 *
 * @param signature signature in hex, with or without 0x
 */
export async function isSignedOnBitcoin(text: string, owner: string, signature: string): Promise<boolean> {
  const hex = prefixed(signature);
  if (!isHex(hex)) return false;
  try {
    const script = bitcoinScript(owner, "owner");
    if (size(hex) !== SIGNATURE_BYTES) {
      return PROGRAM_OF_KEY.test(script) && isSignedByWitness(text, hexToBytes(script), hexToBytes(hex));
    }
    const kind = kindOf(script);
    if (kind === undefined) return false;
    const header = Number(slice(hex, 0, 1)) - FIRST_HEADER;
    const isGeneral = header >= 0 && header < 2 * COMPRESSED;
    const isOwn = kind.ownHeader !== undefined && header >> 2 === kind.ownHeader;
    if (!isGeneral && !isOwn) return false;
    const isCompressed = header >= COMPRESSED;
    const recovered = await recoverPublicKey({
      hash: hashText(text),
      signature: concat([slice(hex, 1), toHex(FIRST_HEADER + (header & 1), { size: 1 })]),
    });
    const publicKey = isCompressed ? compress(recovered) : recovered;
    return kind.scriptOf(publicKey) === script;
  } catch {
    return false;
  }
}

/**
 * Whether signatures of this form are supported for the owner. Version 0 script hashes are not supported, and neither
 * are BIP-322 signatures of legacy addresses, such as multisignature wallets.
 */
export function isSupportedOnBitcoin(owner: string, signature: string): boolean {
  const script = bitcoinScript(owner, "owner");
  if (PROGRAM_OF_KEY.test(script)) return true;
  const hex = prefixed(signature);
  return kindOf(script) !== undefined && !(isHex(hex) && size(hex) !== SIGNATURE_BYTES);
}

function prefixed(signature: string): string {
  return signature.startsWith("0x") ? signature : `0x${signature}`;
}

/** Returns the kind of a script with one key, or undefined for other scripts. */
function kindOf(script: Hex): AddressKind | undefined {
  if (script.startsWith("0x0014")) return { ownHeader: 3, scriptOf: keyScript };
  if (script.startsWith("0xa914")) {
    return { ownHeader: 2, scriptOf: (key) => concat(["0xa914", hash160(keyScript(key)), "0x87"]) };
  }
  if (!script.startsWith("0x76a914")) return undefined;
  return { ownHeader: undefined, scriptOf: (key) => concat(["0x76a914", hash160(key), "0x88ac"]) };
}

function keyScript(publicKey: Hex): Hex {
  return concat(["0x0014", hash160(publicKey)]);
}

function hash160(bytes: Hex): Hex {
  return ripemd160(sha256(bytes));
}

function compress(publicKey: Hex): Hex {
  const isOdd = (hexToBytes(slice(publicKey, 64, 65))[0] ?? 0) & 1;
  return concat([isOdd === 1 ? "0x03" : "0x02", slice(publicKey, 1, 33)]);
}

function hashText(text: string): Hex {
  return sha256(sha256(concat([stringToHex(MAGIC), toHex(text.length, { size: 1 }), stringToHex(text)])));
}

type Witness = readonly Uint8Array[];
type RawTransaction = ReturnType<typeof RawTx.decode>;

const TAG = sha256(stringToBytes("BIP0322-signed-message"), "bytes");

/** Signature hash types that cover the whole transaction: SIGHASH_ALL, and Taproot's default. */
const WHOLE = 1;
const DEFAULT = 0;

const SCHNORR_BYTES = 64;

/**
 * Checks a BIP-322 signature: a witness (simple form), or a transaction with one input and no time locks (full form).
 *
 * @param script witness program of one key: version 0 with 20 bytes, or Taproot with the key path
 *
 * @throws if the signature is malformed
 */
function isSignedByWitness(text: string, script: Uint8Array, signature: Uint8Array): boolean {
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

/** Returns the id of the virtual transaction that commits to the text. The signature spends its output. */
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

/** Returns the virtual transaction to sign. Its output is unspendable. */
function spendingOf(txid: Uint8Array, version: number): RawTransaction {
  return {
    version,
    segwitFlag: false,
    inputs: [{ txid, index: 0, finalScriptSig: new Uint8Array(), sequence: 0 }],
    outputs: [{ amount: 0n, script: Uint8Array.of(0x6a) }],
    lockTime: 0,
  };
}

/** Reads the version and the witness of a signature. A full signature over another message has no witness. */
function readSpending(txid: Uint8Array, signature: Uint8Array): { version: number; witness: Witness } {
  const witness = readWitness(signature);
  if (witness !== undefined) return { version: 0, witness };
  const { witnesses = [], ...transaction } = RawTx.decode(signature);
  const { version } = transaction;
  const unsigned = RawTx.encode({ ...transaction, segwitFlag: false });
  const isForText = bytesToHex(unsigned) === bytesToHex(RawTx.encode(spendingOf(txid, version)));
  return { version, witness: (isForText ? witnesses[0] : undefined) ?? [] };
}

/** Reads a simple signature, which is only a witness. Returns undefined for other bytes. */
function readWitness(signature: Uint8Array): Witness | undefined {
  try {
    return RawWitness.decode(signature);
  } catch {
    return undefined;
  }
}
