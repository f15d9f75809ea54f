import { type Address, concatHex, encodeFunctionData, type Hex } from "viem";

import { pushExecutorAbi } from "@crosscall/protocol/abi";
import { EVM_NATIVE_CURRENCY, isSameAddress, parseEvmAddress } from "@crosscall/protocol/chains";
import { rejectMisspelledOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidInputError } from "@crosscall/protocol/core";
import type { Call } from "@crosscall/protocol/common";
import { type AllowanceState, raiseAllowance } from "../raiseAllowance.ts";
import { decodeProgram } from "./decodeProgram.ts";

export interface PullAndExecuteParameters {
  /** Token to pull, which the program declares. */
  readonly token: Address;
  readonly executor: Address;
  readonly livePuller: Address;
  /** From `encodeProgram`. */
  readonly program: Hex;
  /** Allowance state; unknown by default. */
  readonly allowance?: AllowanceState;
}

/**
 * Builds the `txs` that make the executor pull the router's live balance of a token and run a program with it. The
 * puller's allowance stays, because it takes tokens from its caller only. Push other tokens of the program directly
 * before these `txs`.
 *
 * @throws {@link InvalidInputError} when an address is invalid, or the program does not declare the token
 * @throws {@link MalformedDataError} when the program is invalid
 */
export function pullAndExecute(parameters: PullAndExecuteParameters): Call[] {
  rejectMisspelledOptions(parameters, ["token", "executor", "livePuller", "program", "allowance"]);
  const { token, executor, livePuller, program, allowance = {} } = parameters;
  const declared = decodeProgram(program).tokens;
  const pulled = parseEvmAddress(token, "token");
  if (pulled === EVM_NATIVE_CURRENCY || !declared.some((other) => isSameAddress(other.token, pulled))) {
    throw new InvalidInputError({
      field: "token",
      value: token,
      reason: "it is not an ERC-20 token of the program, so it would stay on the executor",
      hint: "Pull a token that the program declares.",
    });
  }
  const spender = parseEvmAddress(livePuller, "livePuller");
  const pull = encodeFunctionData({ abi: pushExecutorAbi, functionName: "pullAndExecute", args: [pulled] });
  return [
    ...raiseAllowance({ token, spender, facts: allowance }),
    { to: parseEvmAddress(executor, "executor"), data: concatHex([pull, program]), value: "0" },
  ];
}
