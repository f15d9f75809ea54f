import type { Abi, ContractFunctionArgs, ContractFunctionName } from "viem";

import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { FUNCTION_STEP_OPTIONS, type FunctionStep, type StepParts, type WithAmounts } from "./program.ts";

type Mutability = "nonpayable" | "payable" | "pure" | "view";

/** Arguments of a function, with placeholders for live amounts. */
type ArgumentsOf<abi extends Abi, functionName extends ContractFunctionName<abi>> = WithAmounts<
  ContractFunctionArgs<abi, Mutability, functionName>
>;

export type CallFunctionParameters<abi extends Abi, functionName extends ContractFunctionName<abi>> = StepParts & {
  readonly abi: abi;
  readonly functionName: functionName;
  readonly args: ArgumentsOf<abi, functionName> & readonly unknown[];
};

/** Builds a step of a program, with arguments typed by the ABI. Checks only types. */
export function callFunction<const abi extends Abi, functionName extends ContractFunctionName<abi>>(
  parameters: CallFunctionParameters<abi, functionName>,
): FunctionStep {
  rejectUnknownOptions(parameters, FUNCTION_STEP_OPTIONS);
  return parameters;
}
