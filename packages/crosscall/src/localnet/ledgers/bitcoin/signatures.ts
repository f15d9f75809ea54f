import { RawTx, Script, Transaction } from "@scure/btc-signer";
import { RawOldTx } from "@scure/btc-signer/script.js";
import { concatBytes, hash160, sha256x2 } from "@scure/btc-signer/utils.js";
import { verify, verifySchnorr } from "tiny-secp256k1";
import { bytesToHex, hexToBytes } from "viem";

/** Transaction as the library encodes and decodes it. The library's own type omits the types of inputs and outputs. */
export interface RawTransaction {
  version: number;
  segwitFlag?: boolean | undefined;
  inputs: { txid: Uint8Array; index: number; finalScriptSig: Uint8Array; sequence: number }[];
  outputs: { script: Uint8Array; amount: bigint }[];
  witnesses?: Uint8Array[][] | undefined;
  lockTime: number;
}

export interface Output {
  readonly script: Uint8Array;
  /** Satoshis. */
  readonly amount: bigint;
}

// Signature hash types that cover the whole transaction: `ALL`, and Taproot's short form.
const ALL = 1;
const DEFAULT = 0;

const SCHNORR_BYTES = 64;

const FALSE_TOP = "Script evaluated without error but finished with a false/empty top stack element";
const NULL_FAIL = "Signature must be zero for failed CHECK(MULTI)SIG operation";
const MISMATCH = "Witness program hash mismatch";

/** Data that unlocks an input. */
interface Spending {
  readonly raw: RawTransaction;
  readonly index: number;
  /** Outputs that the transaction spends, in the order of the inputs. */
  readonly spent: readonly Output[];
  readonly witness: readonly Uint8Array[];
  readonly scriptSig: Uint8Array;
}

/**
 * Checks the signature of an input: P2PKH, P2SH-P2WPKH, P2WPKH, and the key path of P2TR.
 *
 * @returns the node's error message; undefined if the signature is valid
 */
export function findScriptFault(raw: RawTransaction, index: number, spent: readonly Output[]): string | undefined {
  const output = spent[index];
  const scriptSig = raw.inputs[index]?.finalScriptSig;
  if (output === undefined || scriptSig === undefined) return FALSE_TOP;
  const spending: Spending = { raw, index, spent, scriptSig, witness: raw.witnesses?.[index] ?? [] };
  const script = bytesToHex(output.script);
  if (/^0x76a914.{40}88ac$/u.test(script)) return checkKeyHash(spending, output.script);
  if (/^0xa914.{40}87$/u.test(script)) return checkScriptHash(spending, output);
  if (scriptSig.length > 0) return "Witness requires empty scriptSig";
  if (/^0x0014.{40}$/u.test(script)) return checkProgram(spending, output.script, output.amount);
  if (/^0x5120.{64}$/u.test(script)) return checkTaproot(spending, output.script);
  return "this ledger checks P2PKH, P2SH-P2WPKH, P2WPKH and P2TR only";
}

function checkKeyHash({ raw, index, scriptSig, witness }: Spending, script: Uint8Array): string | undefined {
  if (witness.length > 0) return "Witness provided for non-witness script";
  const [signature, key, ...rest] = pushesOf(scriptSig);
  if (signature === undefined || key === undefined || rest.length > 0) return FALSE_TOP;
  if (!isSame(hash160(key), script.subarray(3, 23))) return "Script failed an OP_EQUALVERIFY operation";
  const inputs = raw.inputs.map((input, at) => ({
    ...input,
    finalScriptSig: at === index ? script : new Uint8Array(),
  }));
  const { version, outputs, lockTime } = raw;
  const unsigned = RawOldTx.encode({ version, inputs, outputs, lockTime });
  return checkEcdsa(sha256x2(unsigned, Uint8Array.of(ALL, 0, 0, 0)), signature, key);
}

function checkScriptHash(spending: Spending, { script, amount }: Output): string | undefined {
  const [redeemScript, ...rest] = pushesOf(spending.scriptSig);
  if (redeemScript === undefined || rest.length > 0) return FALSE_TOP;
  if (!isSame(hash160(redeemScript), script.subarray(2, 22))) return FALSE_TOP;
  if (redeemScript.length !== 22 || redeemScript[0] !== 0) return "this ledger checks P2SH of P2WPKH only";
  return checkProgram(spending, redeemScript, amount);
}

/** @param program version 0 witness program with a key's hash */
function checkProgram({ raw, index, witness }: Spending, program: Uint8Array, amount: bigint): string | undefined {
  const [signature, key, ...rest] = witness;
  if (signature === undefined || key === undefined || rest.length > 0) return MISMATCH;
  const hash = program.subarray(2);
  if (!isSame(hash160(key), hash)) return MISMATCH;
  if (key.length !== 33) return "Using non-compressed keys in segwit";
  const code = concatBytes(hexToBytes("0x76a914"), hash, hexToBytes("0x88ac"));
  return checkEcdsa(toTransaction(raw).preimageWitnessV0(index, code, ALL, amount), signature, key);
}

function checkTaproot({ raw, index, spent, witness }: Spending, script: Uint8Array): string | undefined {
  const [signature, ...rest] = witness;
  if (signature === undefined) return "Witness program was passed an empty witness";
  if (rest.length > 0) return "this ledger checks the key path of P2TR only";
  const [kind = DEFAULT, ...more] = signature.subarray(SCHNORR_BYTES);
  if (signature.length < SCHNORR_BYTES || more.length > 0) return "Invalid Schnorr signature size";
  if (kind !== ALL && signature.length > SCHNORR_BYTES) return "Invalid Schnorr signature hash type";
  const scripts = spent.map((output) => output.script);
  const amounts = spent.map(({ amount }) => amount);
  const digest = toTransaction(raw).preimageWitnessV1(index, scripts, kind, amounts);
  const isValid = isVerified(() => verifySchnorr(digest, script.subarray(2), signature.subarray(0, SCHNORR_BYTES)));
  return isValid ? undefined : "Invalid Schnorr signature";
}

function checkEcdsa(digest: Uint8Array, signature: Uint8Array, key: Uint8Array): string | undefined {
  if (signature.at(-1) !== ALL) return "this ledger accepts signatures of the kind SIGHASH_ALL only";
  const compact = readDer(signature.subarray(0, -1));
  if (compact === undefined) return "Non-canonical DER signature";
  return isVerified(() => verify(digest, key, compact, true)) ? undefined : NULL_FAIL;
}

/** Returns false if the check throws, as it does for a key that is not a point on the curve. */
function isVerified(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}

/**
 * Returns the two numbers of a signature as 32 bytes each, or undefined if the signature is not strict DER (BIP-66).
 */
function readDer(der: Uint8Array): Uint8Array | undefined {
  const lengthR = der[3] ?? 0;
  const r = readInteger(der.subarray(2, 4 + lengthR));
  const s = readInteger(der.subarray(4 + lengthR));
  if (der[0] !== 0x30 || der[1] !== der.length - 2 || r === undefined || s === undefined) return undefined;
  return concatBytes(r, s);
}

/** Returns 32 bytes, or undefined if the input is not one positive DER integer in its shortest form. */
function readInteger(der: Uint8Array): Uint8Array | undefined {
  const [tag, length, first = 0xff, second = 0] = der;
  if (tag !== 0x02 || length !== der.length - 2 || first > 0x7f) return undefined;
  if (first === 0 && length > 1 && second < 0x80) return undefined;
  const value = der.subarray(first === 0 ? 3 : 2);
  return value.length > 32 ? undefined : concatBytes(new Uint8Array(32 - value.length), value);
}

function toTransaction(raw: RawTransaction): Transaction {
  const any = { allowUnknownOutputs: true, allowUnknownInputs: true, allowUnknownVersion: true };
  return Transaction.fromRaw(RawTx.encode(raw), { ...any, disableScriptCheck: true });
}

function pushesOf(script: Uint8Array): readonly Uint8Array[] {
  try {
    const parts = Script.decode(script);
    return parts.every((part) => part instanceof Uint8Array) ? parts : [];
  } catch {
    return [];
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return bytesToHex(a) === bytesToHex(b);
}
