export { approve, type ApproveParameters } from "./approve.ts";
export { callProxy, type CallProxyParameters } from "./callProxy.ts";
export { checkCalls } from "./check/checkCalls.ts";
export { type CallFinding } from "./check/finding.ts";
export { formatFindings, type FormatFindingsOptions } from "./check/formatFindings.ts";
export {
  type AccountFacts,
  type AllowanceFact,
  type CallFacts,
  type CheckCallsParameters,
  type CheckedContracts,
  type CheckedPlan,
  type KnownProxy,
  type TokenFacts,
} from "./check/parameters.ts";
export { type RuleDescription, type Severity } from "./check/rule.ts";
export { CALL_RULES, type FindingCode } from "./check/rules.ts";
export { cleanupErc20s, type CleanupErc20sParameters, type Erc20Cleanup } from "./cleanupErc20s.ts";
export { cleanupNative, type CleanupNativeParameters } from "./cleanupNative.ts";
export {
  type DecodedArgument,
  type DecodedCall,
  type DecodedFunctionCall,
  type EmptyCall,
  type MalformedCall,
  type UnknownCall,
} from "./decode/decodedCall.ts";
export { decodeCalls, type DecodeCallsOptions } from "./decode/decodeCalls.ts";
export { formatCalls, type FormatCallsOptions, type TokenNotation } from "./decode/formatCalls.ts";
export {
  type CallAction,
  type CallPlan,
  planCalls,
  type PlannedAction,
  type PlannedCalls,
  type ProxyAction,
} from "./planCalls.ts";
export { callFunction, type CallFunctionParameters } from "./program/callFunction.ts";
export {
  type DecodedCheck,
  type DecodedDraw,
  type DecodedPatch,
  type DecodedProgram,
  type DecodedStep,
  type DecodedToken,
} from "./program/decodedProgram.ts";
export { decodeProgram } from "./program/decodeProgram.ts";
export { encodeProgram } from "./program/encodeProgram.ts";
export { formatProgram, type FormatProgramOptions } from "./program/formatProgram.ts";
export { live, type LiveOptions } from "./program/live.ts";
export { packed } from "./program/packed.ts";
export {
  type AmountField,
  type LiveAmount,
  type PackedBytes,
  type PatchWidth,
  type Placeholder,
  type ProgramAmount,
  type ReturnedAmount,
} from "./program/placeholder.ts";
export {
  type DataStep,
  type ExecutorContracts,
  type FunctionStep,
  type Program,
  type ProgramCheck,
  type ProgramPolicy,
  type ProgramStep,
  type ProgramToken,
  type StepParts,
  type WithAmounts,
} from "./program/program.ts";
export { pullAndExecute, type PullAndExecuteParameters } from "./program/pullAndExecute.ts";
export { pushAndExecute, type PushAndExecuteParameters } from "./program/pushAndExecute.ts";
export { returned, type ReturnedOptions } from "./program/returned.ts";
export { resetAllowance, type ResetAllowanceParameters } from "./resetAllowance.ts";
