import { stringToBytes } from "viem";

import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAccount,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
} from "@crosscall/protocol/vms";
import { encodeBase64 } from "@crosscall/protocol/encoding";
import { InvalidStateError } from "@crosscall/protocol/core";
import { compileSvmMessage, encodeSvmTransaction, NO_SIGNATURE, type SvmInstruction } from "@crosscall/sdk/kit";
import type { SvmNames, SvmReport } from "./svmReport.ts";
import type { SvmNode } from "./svmNode.ts";
import { toSimulatedReport } from "./toSimulatedReport.ts";

/** Payment of a fill that was not sent. */
export interface SvmPayment {
  readonly payer: string;
  readonly recipient: string;
  /** The mint, or the system program for native currency. */
  readonly currency: string;
  /** Smallest unit. */
  readonly amount: bigint;
  readonly orderId: string;
}

/**
 * Runs a payment on the current state, without sending it: the transfer, and the memo with the order's id.
 *
 * @throws {@link InvalidStateError} if the currency is not a token of the chain
 */
export async function simulatePayment(node: SvmNode, payment: SvmPayment, names?: SvmNames): Promise<SvmReport> {
  const { payer, orderId } = payment;
  const memo = { programId: MEMO_PROGRAM, keys: [], data: stringToBytes(orderId) };
  const instructions = [...(await transferOf(node, payment)), memo];
  const message = compileSvmMessage({ payer, instructions, tables: [], blockhash: SYSTEM_PROGRAM });
  const { err, logs, unitsConsumed, ...simulated } = await node.simulate(
    encodeBase64(encodeSvmTransaction([NO_SIGNATURE], message)),
  );
  const meta = { ...simulated, err, logMessages: logs, computeUnitsConsumed: unitsConsumed };
  const rentExemptMinimum = err === null ? undefined : await node.rentExemptMinimum();
  return toSimulatedReport({ payer, instructions, meta, rentExemptMinimum }, names);
}

const reads = (pubkey: string) => ({ pubkey, isSigner: false, isWritable: false });
const writes = (pubkey: string) => ({ pubkey, isSigner: false, isWritable: true });
const signs = (pubkey: string) => ({ pubkey, isSigner: true, isWritable: true });

const SYSTEM_TRANSFER = [2, 0, 0, 0];
const CREATE_IDEMPOTENT = 1;
const TRANSFER_CHECKED = 12;

async function transferOf(
  node: SvmNode,
  { payer, recipient, currency, amount }: SvmPayment,
): Promise<readonly SvmInstruction[]> {
  if (currency === SYSTEM_PROGRAM) {
    const data = Uint8Array.of(...SYSTEM_TRANSFER, ...u64(amount));
    return [{ programId: SYSTEM_PROGRAM, keys: [signs(payer), writes(recipient)], data }];
  }
  const mint = await node.mint(currency);
  if (mint === undefined) {
    throw new InvalidStateError({
      message: `the chain has no token ${currency}`,
      hint: "Pass the RPC URL of the request's destination chain.",
    });
  }
  const { program, decimals } = mint;
  const [source, target] = [payer, recipient].map((owner) => associatedTokenAccount(owner, currency, program)) as [
    string,
    string,
  ];
  return [
    {
      programId: ASSOCIATED_TOKEN_PROGRAM,
      keys: [signs(payer), writes(target), ...[recipient, currency, SYSTEM_PROGRAM, program].map(reads)],
      data: Uint8Array.of(CREATE_IDEMPOTENT),
    },
    {
      programId: program,
      keys: [writes(source), reads(currency), writes(target), signs(payer)],
      data: Uint8Array.of(TRANSFER_CHECKED, ...u64(amount), decimals),
    },
  ];
}

function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}
