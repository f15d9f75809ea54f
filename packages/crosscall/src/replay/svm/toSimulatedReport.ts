import { base58 } from "@scure/base";

import { SYSTEM_PROGRAM } from "@crosscall/protocol/vms";
import { compileSvmMessage, type SvmInstruction } from "@crosscall/sdk/kit";
import type { RawMessage } from "./readTransaction.ts";
import type { SvmNames, SvmReport } from "./svmReport.ts";
import { type SvmOutcome, toSvmReport } from "./toSvmReport.ts";

/** A simulated transaction, and what a node reports about it. */
export interface SimulatedOutcome extends Pick<SvmOutcome, "meta" | "rentExemptMinimum"> {
  readonly payer: string;
  readonly instructions: readonly SvmInstruction[];
}

/** Decodes a simulated transaction, like `toSvmReport`. */
export function toSimulatedReport({ payer, instructions, ...outcome }: SimulatedOutcome, names?: SvmNames): SvmReport {
  return toSvmReport({ ...outcome, source: { kind: "simulation" }, message: toMessage(payer, instructions) }, names);
}

const KEYS_AT = 5;
const KEY_BYTES = 32;

/** Refers to accounts by their positions, as a node does for a transaction without lookup tables. */
function toMessage(payer: string, instructions: readonly SvmInstruction[]): RawMessage {
  const message = compileSvmMessage({ payer, instructions, tables: [], blockhash: SYSTEM_PROGRAM });
  const [, numRequiredSignatures = 0, numReadonlySignedAccounts = 0, numReadonlyUnsignedAccounts = 0, count = 0] =
    message;
  const accountKeys = Array.from({ length: count }, (_, index) =>
    base58.encode(message.subarray(KEYS_AT + index * KEY_BYTES, KEYS_AT + (index + 1) * KEY_BYTES)),
  );
  return {
    header: { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts },
    accountKeys,
    instructions: instructions.map(({ programId, keys, data }) => ({
      programIdIndex: accountKeys.indexOf(programId),
      accounts: keys.map(({ pubkey }) => accountKeys.indexOf(pubkey)),
      data: base58.encode(data),
    })),
  };
}
