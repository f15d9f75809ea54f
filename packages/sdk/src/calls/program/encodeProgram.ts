import type { Hex } from "viem";

import {
  type KnownOptions,
  rejectUnknownOptions,
  rejectUnknownOptionsDeep,
} from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidStateError } from "@crosscall/protocol/core";
import { compileProgram } from "./compileProgram.ts";
import { decodeProgram } from "./decodeProgram.ts";
import { packProgram } from "./packProgram.ts";
import {
  CHECK_OPTIONS,
  type ExecutorContracts,
  FUNCTION_STEP_OPTIONS,
  type Program,
  type ProgramPolicy,
  TOKEN_OPTIONS,
} from "./program.ts";

const PROGRAM_OPTIONS = {
  recipient: 1,
  deadline: 1,
  policy: { kind: 1, recipient: 1, stepsGas: 1, reserveGas: 1 } satisfies KnownOptions<ProgramPolicy>,
  tokens: TOKEN_OPTIONS,
  checks: CHECK_OPTIONS,
  steps: 1,
};

/**
 * Encodes a program of the push executor. The positions of live amounts are derived from the ABI and verified by
 * encoding each call again with other numbers. The program is decoded and compared before it is returned.
 * @param program the program to encode
 * @param contracts contracts of the program's chain that programs must not call, approve or pay
 * @throws {@link InvalidInputError} with the field that the executor would reject
 */
export function encodeProgram(program: Program, contracts: ExecutorContracts): Hex {
  rejectUnknownOptionsDeep(program, PROGRAM_OPTIONS);
  for (const [index, step] of program.steps.entries()) {
    const at = `steps[${index}].`;
    if ("data" in step) rejectUnknownOptions(step, { target: 1, value: 1, approvals: 1, data: 1 }, at);
    else rejectUnknownOptions(step, FUNCTION_STEP_OPTIONS, at);
  }
  const compiled = compileProgram(program, contracts);
  const bytes = packProgram(compiled);
  if (isSame(decodeProgram(bytes), compiled)) return bytes;
  throw new InvalidStateError({
    message: "the encoded program does not decode to the given one",
    hint: "Report this error with the program.",
  });
}

function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const [left, right] = [Object.entries(a), Object.entries(b)];
  return left.length === right.length && left.every(([key, value]) => isSame(value, b[key as keyof typeof b]));
}
