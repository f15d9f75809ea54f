import { p2pkh, p2sh, p2tr, p2wpkh, RawTx, Script, Transaction } from "@scure/btc-signer";
import { bytesToHex, hexToBytes, isHex, stringToBytes } from "viem";

import { bitcoinScript } from "@crosscall/protocol/attestation";
import { rejectProblem } from "../../market/rejection.ts";
import type { BitcoinChain, UnspentOutput } from "./chain.ts";
import type { Output } from "./signatures.ts";

export interface PsbtParameters {
  /** Address whose outputs are spent. */
  readonly user: string;
  /** Public key, which wallets need to sign for a P2SH address. */
  readonly publicKey: string | undefined;
  /** Without change. */
  readonly outputs: readonly Output[];
}

/** Fee rate in satoshis per virtual byte. */
export const FEE_RATE = 2n;

/** Size of an input in virtual bytes, by the length of its script: P2WPKH, P2SH-P2WPKH, P2PKH and P2TR. */
const INPUT_SIZES: ReadonlyMap<number, bigint> = new Map([
  [22, 68n],
  [23, 91n],
  [25, 148n],
  [34, 58n],
]);
const TRANSACTION_SIZE = 12n;
const AMOUNT_SIZE = 9n;

/** Minimum change in satoshis. Less is added to the fee. */
const SMALLEST_CHANGE = 546n;

/** Signals replace-by-fee (BIP 125), with the sequence number that wallets use. */
const SEQUENCE = 0xffff_fffd;

/**
 * Builds a PSBT that spends a user's largest outputs, and returns the change to the user.
 *
 * @returns hex without 0x
 * @throws {@link RejectionError} if the user cannot pay, or has a different public key
 */
export function buildPsbt(chain: BitcoinChain, { user, publicKey, outputs }: PsbtParameters): string {
  const script = scriptOf(user);
  const inputs: UnspentOutput[] = [];
  const paid = outputs.reduce((sum, { amount }) => sum + amount, 0n);
  const size = (all: readonly Output[]): bigint =>
    TRANSACTION_SIZE +
    BigInt(inputs.length) * (INPUT_SIZES.get(script.length) ?? 0n) +
    all.reduce((sum, output) => sum + AMOUNT_SIZE + BigInt(output.script.length), 0n);
  const left = (all: readonly Output[]): bigint =>
    inputs.reduce((sum, { amount }) => sum + amount, 0n) - paid - FEE_RATE * size(all);
  for (const unspent of chain.unspentOf(script).toSorted((a, b) => (a.amount < b.amount ? 1 : -1))) {
    if (left(outputs) >= 0n) break;
    inputs.push(unspent);
  }
  if (inputs.length === 0 || left(outputs) < 0n) throw insufficient(user, paid);
  const change = { script, amount: left([...outputs, { script, amount: 0n }]) };
  const transaction = new Transaction({ allowUnknownOutputs: true });
  const unlocking = unlockingOf(user, publicKey);
  for (const { txid, vout: index, amount } of inputs) {
    const isLegacy = script.length === 25;
    const raw = chain.transactions.get(txid)?.raw;
    const nonWitnessUtxo = raw && RawTx.encode({ ...raw, segwitFlag: false });
    const proof = isLegacy && nonWitnessUtxo ? { nonWitnessUtxo } : { witnessUtxo: { script, amount } };
    transaction.addInput({ txid, index, sequence: SEQUENCE, ...proof, ...unlocking });
  }
  for (const output of outputs) transaction.addOutput(output);
  if (change.amount >= SMALLEST_CHANGE) transaction.addOutput(change);
  return bytesToHex(transaction.toPSBT()).slice(2);
}

/** @throws {@link InvalidInputError} if the text is not a mainnet address */
export function scriptOf(address: string, field = "address"): Uint8Array {
  return hexToBytes(bitcoinScript(address, field));
}

/** Creates an output that has no value and carries a text. */
export function textOutput(text: string): Output {
  return { script: Script.encode(["RETURN", stringToBytes(text)]), amount: 0n };
}

/**
 * Returns the fields that a wallet needs to sign an input, if the public key is known.
 *
 * @throws {@link RejectionError} if the key is not the user's
 */
function unlockingOf(user: string, publicKey: string | undefined) {
  if (publicKey === undefined) return {};
  const hex = publicKey.startsWith("0x") ? publicKey : `0x${publicKey}`;
  try {
    const key = isHex(hex) ? hexToBytes(hex) : new Uint8Array();
    if (key.length === 32 || user.startsWith("bc1p")) {
      const internal = key.length === 33 ? key.subarray(1) : key;
      if (p2tr(internal).address === user) return { tapInternalKey: internal };
    } else if (user.startsWith("3")) {
      const nested = p2sh(p2wpkh(key));
      if (nested.address === user) return { redeemScript: nested.redeemScript };
    } else if ([p2wpkh(key).address, p2pkh(key).address].includes(user)) {
      return {};
    }
  } catch {
    // The library throws if the bytes are not a public key.
  }
  throw rejectProblem({
    errorCode: "INVALID_REQUEST",
    field: "additionalData.userPublicKey",
    value: publicKey,
    reason: `is not the public key of ${user}`,
    hint: "Pass the compressed public key of the paying address in hex.",
  });
}

function insufficient(user: string, paid: bigint) {
  return rejectProblem({
    errorCode: "INSUFFICIENT_FUNDS",
    field: "user",
    value: user,
    reason: `its unspent outputs do not cover ${paid} satoshis and the network fee`,
    hint: "Lower the amount, or fund the address with `crosscall chain faucet`.",
  });
}
