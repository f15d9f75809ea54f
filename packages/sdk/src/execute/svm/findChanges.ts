import { bytesToHex } from "viem";

import {
  ASSERTIONS_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  SVM_PROGRAMS,
} from "@crosscall/protocol/vms/svmPrograms";
import type { SvmInstruction } from "./svmMessage.ts";

/**
 * Range of the first byte of the program's assertions. Instructions below the range write, and those above it call
 * other programs.
 */
const ASSERTIONS = { first: 2, last: 15 } as const;

/** Differences between the instructions of a step and the ones that a wallet signed. */
export interface InstructionChanges {
  /** Changes that can affect the payment, in words. */
  readonly changes: readonly string[];
  /** The step's instructions with those that the wallet added, without assertions. */
  readonly instructions: readonly SvmInstruction[];
}

/**
 * Compares signed instructions with those of a step. A wallet may replace the compute budget, and add memos and
 * assertions, which only fail a transaction.
 */
export function findChanges(own: readonly SvmInstruction[], signed: readonly SvmInstruction[]): InstructionChanges {
  const left = own.filter(({ programId }) => programId !== COMPUTE_BUDGET_PROGRAM);
  const changes: string[] = [];
  const instructions: SvmInstruction[] = [];
  for (const [index, instruction] of signed.entries()) {
    const [next] = left;
    if (next !== undefined && isSame(next, instruction)) {
      // The step's own accounts, because a message gives each account the same permissions in all instructions.
      instructions.push(next);
      left.shift();
    } else if ([COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM].includes(instruction.programId)) {
      instructions.push(instruction);
    } else if (!isAssertion(instruction)) {
      changes.push(`instruction ${index}, which calls ${instruction.programId}, is not the step's`);
    }
  }
  changes.push(...left.map(({ programId }) => `an instruction of the step, which calls ${programId}, is missing`));
  return { changes, instructions };
}

function isSame(a: SvmInstruction, b: SvmInstruction): boolean {
  const accountsOf = ({ keys }: SvmInstruction): string => keys.map(({ pubkey }) => pubkey).join(" ");
  return a.programId === b.programId && bytesToHex(a.data) === bytesToHex(b.data) && accountsOf(a) === accountsOf(b);
}

/** An assertion that lists no other program's account cannot call another program, even if its own program tries to. */
function isAssertion({ programId, keys, data: [kind = 0] }: SvmInstruction): boolean {
  const isKnown = kind >= ASSERTIONS.first && kind <= ASSERTIONS.last;
  return programId === ASSERTIONS_PROGRAM && isKnown && keys.every(({ pubkey }) => !SVM_PROGRAMS.includes(pubkey));
}
