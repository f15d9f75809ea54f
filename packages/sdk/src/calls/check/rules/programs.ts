import type { Hex } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import { CrosscallError } from "@crosscall/protocol/core";
import type { DecodedFunctionCall } from "../../decode/decodedCall.ts";
import { readAccount } from "../../decode/readArgument.ts";
import { decodeProgram } from "../../program/decodeProgram.ts";
import { nameToken, type SendOperation } from "../operation.ts";
import type { CheckContext, Rules } from "../rule.ts";

interface Run {
  readonly index: number;
  readonly call: DecodedFunctionCall;
  readonly pushed: readonly string[];
}

export const programRules = {
  PROGRAM_UNREADABLE: {
    severity: "error",
    meaning: "The executor is called with an invalid program.",
    hint: "Encode the program with encodeProgram.",
    find: (context) =>
      runsOf(context).runs.flatMap(({ index, call }) => {
        if (call.program !== undefined) return [];
        return [{ index, reason: reasonOf(call.args.at(-1)?.value as Hex) }];
      }),
  },
  PUSH_NOT_EXECUTED: {
    severity: "error",
    meaning: "Tokens pushed to the executor are not used by the next call, so another contract can take them.",
    hint: "Run the program directly after the push.",
    find: (context) =>
      runsOf(context).lost.map(({ index, token, to }) => ({
        index,
        reason: `it pushes ${nameToken(token)} to ${to}, but the next call does not run a program there`,
      })),
  },
  PROGRAM_INPUT_MISSING: {
    severity: "error",
    meaning: "A program needs a token that is neither pushed nor pulled.",
    hint: "Pull the token, push it directly before the program, or remove its minimum.",
    find: (context) =>
      runsOf(context).runs.flatMap(({ index, call, pushed }) =>
        (call.program?.tokens ?? []).flatMap(({ token, minimumIn }) =>
          minimumIn === 0n || pushed.some((other) => isSameAddress(other, token))
            ? []
            : [{ index, reason: `the program needs ${minimumIn} of ${nameToken(token)}` }],
        ),
      ),
  },
  PROGRAM_TOKEN_UNDECLARED: {
    severity: "error",
    meaning: "The program does not declare a pushed token, which stays on the executor, where anyone can take it.",
    hint: "Declare the token in the program, or do not push it.",
    find: (context) =>
      runsOf(context).runs.flatMap(({ index, call: { program }, pushed }) =>
        program === undefined
          ? []
          : pushed
              .filter((token) => !program.tokens.some((declared) => isSameAddress(declared.token, token)))
              .map((token) => ({
                index,
                reason: `the program does not declare the pushed ${nameToken(token)}`,
              })),
      ),
  },
} as const satisfies Rules;

/** Tracks pushes to the executor up to the program that uses them. */
function runsOf({ operations, contracts }: CheckContext): { runs: Run[]; lost: SendOperation[] } {
  const { pushExecutor } = contracts;
  const isExecutor = (account: string): boolean => pushExecutor !== undefined && isSameAddress(account, pushExecutor);
  const runs: Run[] = [];
  const lost: SendOperation[] = [];
  let pushed: SendOperation[] = [];
  for (const operation of operations) {
    if (operation.kind === "send" && isExecutor(operation.to)) pushed.push(operation);
    if (operation.kind !== "call" || operation.isSelf) continue;
    const { call, index } = operation;
    const isRun = call.kind === "function" && call.family === "push executor";
    if (isRun && isExecutor(call.to)) {
      const tokens = pushed.map(({ token }) => token);
      const pulled = readAccount(call.args, "token");
      runs.push({ index, call, pushed: pulled === undefined ? tokens : [...tokens, pulled] });
      pushed = [];
    } else {
      // This call comes between earlier pushes and their program, so those pushes count as lost.
      lost.push(...pushed.filter((push) => push.index !== index));
      pushed = pushed.filter((push) => push.index === index);
    }
  }
  return { runs, lost: [...lost, ...pushed] };
}

function reasonOf(program: Hex): string {
  try {
    decodeProgram(program);
  } catch (error) {
    if (error instanceof CrosscallError) return error.message;
    throw error;
  }
  return "the program cannot be read";
}
