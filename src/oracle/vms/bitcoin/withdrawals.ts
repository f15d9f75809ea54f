import { Transaction } from "@scure/btc-signer";
import { type Hex, bytesToHex, hexToBytes, sha256, stringToBytes } from "viem";

import { MalformedDataError } from "@crosscall/sdk/internal/core/errors";
import { BITCOIN_CODEC } from "@crosscall/sdk/internal/protocol/vms/bitcoin";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { Withdrawal, WithdrawalHints, WithdrawalStatus } from "../vmChain.ts";
import type { BitcoinOutpoint, BitcoinOutput, BitcoinReader } from "./bitcoinReader.ts";
import { paidAddress } from "./script.ts";
import type { BitcoinTransactions } from "./transactions.ts";

/** The transaction of a withdrawal, from its PSBT. */
interface BitcoinWithdrawal extends Withdrawal {
  readonly inputs: readonly (BitcoinOutpoint & { readonly amount: bigint })[];
  readonly outputs: readonly BitcoinOutput[];
}

/**
 * A payload is a PSBT. Its transaction has no expiration.
 *
 * @throws {@link MalformedDataError} if it is no PSBT, or does not have the amounts that it spends
 */
export function decodeWithdrawal(payload: Hex): BitcoinWithdrawal {
  const transaction = readPsbt(payload);
  const inputs = Array.from({ length: transaction.inputsLength }, (_, index) => readInput(transaction, index));
  const outputs = Array.from({ length: transaction.outputsLength }, (_, index) => readOutput(transaction, index));
  return {
    payload,
    withdrawalId: sha256(stringToBytes(payload)),
    expiration: 0n,
    inputs,
    outputs,
    payout() {
      const [paid] = outputs;
      const recipient = paid === undefined ? undefined : paidAddress(paid.script);
      if (paid === undefined || recipient === undefined) throw malformed("it pays no address first");
      // The recipient bears the fee of the network.
      const fee = total(inputs) - total(outputs);
      return {
        currency: BITCOIN_CODEC.nativeCurrency,
        recipient: BITCOIN_CODEC.decodeAddress(recipient),
        amount: paid.amount + fee,
      };
    },
  };
}

interface WithdrawalSource {
  readonly reader: BitcoinReader;
  readonly transactions: BitcoinTransactions;
  /** Scripts of the depositories. */
  readonly depositories: readonly Hex[];
}

/**
 * Executed if the named transaction is the withdrawal's and final; pending while nothing spends the inputs. Never
 * expired: an input that another transaction spends could still be an error of the endpoint, and the depository pays
 * once it signed.
 */
export async function readWithdrawalStatus(
  { reader, transactions, depositories }: WithdrawalSource,
  { payload }: Withdrawal,
  { transactionId }: WithdrawalHints,
): Promise<WithdrawalStatus> {
  const { inputs, outputs } = decodeWithdrawal(payload);
  if (transactionId === undefined) {
    const areSpent = await Promise.all(inputs.map((input) => reader.isSpent(input)));
    requireAttested(!areSpent.includes(true), "transactionId is required: the inputs of the withdrawal are spent");
    return 0;
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
  // The amount of the withdrawal depends on them.
  const areAsStated = isSameList(spent.map(amountOf), inputs.map(amountOf));
  requireAttested(areAsStated, `Transaction ${transactionId} spends other amounts than the withdrawal states`);
  return 1;
}

function readPsbt(payload: Hex): Transaction {
  try {
    return Transaction.fromPSBT(hexToBytes(payload), {
      allowUnknownInputs: true,
      allowUnknownOutputs: true,
      allowUnknownVersion: true,
      disableScriptCheck: true,
      allowLegacyWitnessUtxo: true,
    });
  } catch (error) {
    throw malformed(error instanceof Error ? error.message : "it is no PSBT");
  }
}

function readInput(transaction: Transaction, at: number): BitcoinWithdrawal["inputs"][number] {
  const { txid, index, witnessUtxo, nonWitnessUtxo } = transaction.getInput(at);
  const amount: unknown = (witnessUtxo ?? nonWitnessUtxo?.outputs[index ?? 0])?.amount;
  if (txid === undefined || index === undefined || typeof amount !== "bigint")
    throw malformed(`input ${at} has no amount`);
  return { txid: bytesToHex(txid).slice(2), vout: index, amount };
}

function readOutput(transaction: Transaction, at: number): BitcoinOutput {
  const { script, amount } = transaction.getOutput(at);
  if (script === undefined || amount === undefined) throw malformed(`output ${at} is incomplete`);
  return { script: bytesToHex(script), amount };
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

function malformed(reason: string): MalformedDataError {
  return new MalformedDataError({ what: "a withdrawal on Bitcoin", path: "", reason });
}
