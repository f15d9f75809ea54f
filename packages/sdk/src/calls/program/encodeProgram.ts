import type { Hex } from "viem";

import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidStateError } from "@crosscall/protocol/core";
import { compileProgram } from "./compileProgram.ts";
import { decodeProgram } from "./decodeProgram.ts";
import { packProgram } from "./packProgram.ts";
import type { ExecutorContracts, Program } from "./program.ts";

/**
 * Encodes a program of the push executor. The positions of live amounts are derived from the ABI and verified by
 * encoding each call again with other numbers. The program is decoded and compared before it is returned.
 * @param program the program to encode
 * @param contracts contracts of the program's chain that programs must not call, approve or pay
 * @throws {@link InvalidInputError} with the field that the executor would reject
 */
export function encodeProgram(program: Program, contracts: ExecutorContracts): Hex {
  rejectUnknownOptions(program, { recipient: 1, deadline: 1, policy: 1, tokens: 1, checks: 1, steps: 1 });
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
