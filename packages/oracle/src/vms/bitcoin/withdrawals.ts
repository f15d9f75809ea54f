import { Script } from "@scure/btc-signer";
import {
  bytesToHex,
  concat,
  decodeAbiParameters,
  type Hex,
  hexToBigInt,
  hexToBytes,
  parseAbiParameters,
  sha256,
  size,
  stringToBytes,
  toHex,
} from "viem";

import { MalformedDataError } from "@crosscall/protocol/core";
import { BITCOIN_CODEC } from "@crosscall/protocol/vms";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { Withdrawal, WithdrawalHints, WithdrawalStatus } from "../vmChain.ts";
import type { BitcoinOutpoint, BitcoinOutput, BitcoinReader, BitcoinTransactions, Unlocking } from "./bitcoinReader.ts";
import { paidAddress } from "./deposits.ts";

/** Fields of the allocator's transaction. Numbers are little-endian, and transaction ids have wire byte order. */
const PAYLOAD = parseAbiParameters([
  "Transaction transaction",
  "struct Transaction { Input[] inputs; Output[] outputs; }",
  "struct Input { bytes txid; bytes index; bytes script; bytes value; }",
  "struct Output { bytes value; bytes script; }",
]);

interface BitcoinWithdrawal extends Withdrawal {
  readonly inputs: readonly SpendingInput[];
  readonly outputs: readonly BitcoinOutput[];
}

/**
 * Decodes the allocator's transaction. Its id is the hash of the PSBT without signatures. It has no expiration.
 *
 * @throws {@link MalformedDataError} for a malformed payload
 */
export function decodeWithdrawal(payload: Hex): BitcoinWithdrawal {
  const { inputs, outputs } = decodePayload(payload);
  return {
    payload,
    withdrawalId: psbtId(encodePsbt(inputs, outputs)),
    expiration: 0n,
    hashCount: inputs.length,
    inputs,
    outputs,
    payout() {
      const [paid] = outputs;
      const recipient = paid === undefined ? undefined : paidAddress(paid.script);
      if (paid === undefined || recipient === undefined) throw malformed("its first output does not pay an address");
      // The recipient pays the network fee.
      const fee = total(inputs) - total(outputs);
      return {
        currency: BITCOIN_CODEC.nativeCurrency,
        recipient: BITCOIN_CODEC.decodeAddress(recipient),
        amount: paid.amount + fee,
      };
    },
  };
}

function psbtId(psbt: Hex): Hex {
  return sha256(stringToBytes(psbt));
}

function decodePayload(payload: Hex): Pick<BitcoinWithdrawal, "inputs" | "outputs"> {
  try {
    const [{ inputs, outputs }] = decodeAbiParameters(PAYLOAD, payload);
    return {
      inputs: inputs.map(({ txid, index, script, value }) => ({
        txid: reversed(withBytes(txid, 32)).slice(2),
        vout: Number(fromLittleEndian(withBytes(index, 4))),
        script,
        amount: fromLittleEndian(withBytes(value, 8)),
      })),
      outputs: outputs.map(({ value, script }) => ({ script, amount: fromLittleEndian(withBytes(value, 8)) })),
    };
  } catch (cause) {
    throw malformed("it is not a transaction from the allocator", cause);
  }
}

function withBytes(bytes: Hex, count: number): Hex {
  if (size(bytes) !== count) throw malformed(`${size(bytes)} bytes instead of ${count}`);
  return bytes;
}

function fromLittleEndian(bytes: Hex): bigint {
  return hexToBigInt(reversed(bytes));
}

interface WithdrawalSource {
  readonly reader: BitcoinReader;
  readonly transactions: BitcoinTransactions;
  /** Output scripts of the depositories. */
  readonly depositories: readonly Hex[];
  /** Finds the confirmed transaction that spends an output, if an explorer is configured. */
  readonly findSpender: (output: BitcoinOutpoint) => Promise<string | undefined>;
}

/**
 * Returns executed if the withdrawal's transaction, as given or as found by an explorer, is final. Returns pending
 * while the inputs are unspent. Never returns expired: an endpoint can wrongly report that another transaction spends
 * an input, and a signed withdrawal can always be sent.
 */
export async function readWithdrawalStatus(
  source: WithdrawalSource,
  { payload }: Withdrawal,
  hints: WithdrawalHints,
): Promise<WithdrawalStatus> {
  return (await readExecution(source, decodeWithdrawal(payload), hints)) === undefined ? 0 : 1;
}

/**
 * Returns the id of an executed withdrawal, the hash of the PSBT with its signatures.
 *
 * @throws {@link AttestationRefusedError} if the withdrawal is not executed, or not by signatures of keys
 */
export async function readExecutedId(
  source: WithdrawalSource,
  { payload }: Withdrawal,
  hints: WithdrawalHints,
): Promise<string> {
  const withdrawal = decodeWithdrawal(payload);
  const execution = await readExecution(source, withdrawal, hints);
  requireAttested(execution !== undefined, "The withdrawal is not executed");
  const unlockings = await source.reader.unlockings(execution.txid);
  const signatures = (unlockings ?? []).map((unlocking, index) => {
    const signature = inputSignature(unlocking);
    requireAttested(signature !== undefined, `Unsupported allocator input format at input ${index}`);
    return signature;
  });
  return psbtId(encodePsbt(withdrawal.inputs, withdrawal.outputs, signatures));
}

/** Returns the transaction of the withdrawal, or undefined while the inputs are unspent. */
async function readExecution(
  { reader, transactions, depositories, findSpender }: WithdrawalSource,
  { inputs, outputs }: BitcoinWithdrawal,
  { transactionId: named }: WithdrawalHints,
): Promise<{ readonly txid: string } | undefined> {
  const [first] = inputs;
  const transactionId = named ?? (first === undefined ? undefined : await findSpender(first));
  if (transactionId === undefined) {
    const areSpent = await Promise.all(inputs.map((input) => reader.isSpent(input)));
    requireAttested(!areSpent.includes(true), "transactionId is required: the inputs of the withdrawal are spent");
    return undefined;
  }
  const txid = BITCOIN_CODEC.decodeTransactionId(BITCOIN_CODEC.encodeTransactionId(transactionId, "transactionId"));
  const transaction = await transactions.read(txid);
  requireAttested(transaction !== undefined, `Missing transaction ${transactionId}`);
  const isSame =
    isSameList(transaction.inputs.map(nameOfInput), inputs.map(nameOfInput)) &&
    isSameList(transaction.outputs.map(nameOfOutput), outputs.map(nameOfOutput));
  requireAttested(isSame, `Transaction ${transactionId} does not execute the withdrawal`);
  const spent = await transactions.readSpent(transaction);
  const isOfDepository = spent.some(({ script }) => depositories.includes(script));
  requireAttested(isOfDepository, `Transaction ${transactionId} spends no output of the depository`);
  // Checks the amounts of the inputs, which determine the withdrawal's amount.
  const areAsStated = isSameList(spent.map(amountOf), inputs.map(amountOf));
  requireAttested(areAsStated, `Transaction ${transactionId} spends amounts that differ from the withdrawal`);
  return { txid };
}

function total(items: readonly { readonly amount: bigint }[]): bigint {
  return items.reduce((sum, { amount }) => sum + amount, 0n);
}

function nameOfInput({ txid, vout }: BitcoinOutpoint): string {
  return `${txid}:${vout}`;
}

function nameOfOutput({ script, amount }: BitcoinOutput): string {
  return `${script}:${amount}`;
}

function amountOf({ amount }: { readonly amount: bigint }): bigint {
  return amount;
}

function isSameList<Item>(actual: readonly Item[], expected: readonly Item[]): boolean {
  return actual.length === expected.length && actual.every((item, at) => item === expected[at]);
}

function malformed(reason: string, cause?: unknown): MalformedDataError {
  return new MalformedDataError({ what: "a withdrawal on Bitcoin", path: "", reason, cause });
}

/** @returns undefined if the script is not a signature and a public key */
export function inputSignature({ scriptSig, witness }: Unlocking): InputSignature | undefined {
  const [signature, publicKey] = witness.length > 0 ? witness : pushesOf(scriptSig);
  if (signature === undefined || publicKey === undefined || !isPublicKey(publicKey)) return undefined;
  return { signature, publicKey };
}

function pushesOf(script: Hex): readonly Hex[] {
  try {
    return Script.decode(hexToBytes(script)).flatMap((part) => (part instanceof Uint8Array ? [bytesToHex(part)] : []));
  } catch {
    return [];
  }
}

function isPublicKey(bytes: Hex): boolean {
  const [length, kind] = [size(bytes), bytes.slice(2, 4)];
  return (length === 33 && (kind === "02" || kind === "03")) || (length === 65 && kind === "04");
}

/** An input and the output that it spends. */
interface SpendingInput extends BitcoinOutpoint {
  readonly script: Hex;
  /** Satoshis. */
  readonly amount: bigint;
}

interface InputSignature {
  /** Signature in DER, with the signature hash type appended. */
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
/** Key derivation without fingerprint and path. */
const NO_DERIVATION = "0x00000000";

/**
 * Encodes the allocator's transaction as a PSBT (BIP-174). The bytes are the same as the public oracle's, because their
 * hash is the withdrawal's id.
 *
 * @param signatures signatures of the inputs, in order; empty before the transaction is signed
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

/** Encodes the entries, sorted by key. */
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

function reversed(bytes: Hex): Hex {
  return toHex(hexToBytes(bytes).toReversed());
}
