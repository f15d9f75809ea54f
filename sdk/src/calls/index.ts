export { approve, type ApproveParameters } from "./approve.ts";
export { CallsRefusedError } from "./check/callsRefusedError.ts";
export { checkCalls } from "./check/checkCalls.ts";
export { type CallFinding } from "./check/finding.ts";
export { requireSoundCalls } from "./check/requireSoundCalls.ts";
export { formatFindings, type FormatFindingsOptions } from "./check/formatFindings.ts";
export {
  type AccountFacts,
  type RouterAllowance,
  type CallFacts,
  type CheckCallsParameters,
  type CheckedContracts,
  type CheckedPlan,
  type KnownProxy,
  type TokenFacts,
} from "./check/parameters.ts";
export { type RuleDescription, type Severity } from "./check/rule.ts";
export { CALL_RULES, type FindingCode } from "./check/rules.ts";
export {
  callProxy,
  type CallProxyParameters,
  type ExecuteNativeParameters,
  type ExecuteParameters,
  type ProxyFunction,
  type RepayNativeParameters,
  type RepayParameters,
} from "./callProxy.ts";
export { cleanupErc20s, type CleanupErc20sParameters, type Erc20Cleanup } from "./cleanupErc20s.ts";
export {
  cleanupErc20sViaCall,
  type CleanupErc20sViaCallParameters,
  type Erc20CleanupViaCall,
} from "./cleanupErc20sViaCall.ts";
export { cleanupNative, type CleanupNativeParameters } from "./cleanupNative.ts";
export { cleanupNativeViaCall, type CleanupNativeViaCallParameters } from "./cleanupNativeViaCall.ts";
export {
  callContract,
  type CallContractParameters,
  type ContractAction,
  type ContractActionParts,
  type FixedApproval,
} from "./contractAction.ts";
export { type PlannedCalls, type PlanTerms } from "./plan/planTerms.ts";
export { type ProgramRunner } from "./plan/planProgram.ts";
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
  type ProgramAction,
  type ProxyAction,
} from "./planCalls.ts";
export { planRecipe, type PlannedRecipe, type PlanRecipeParameters } from "./planRecipe.ts";
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
export { type AllowanceState, raiseAllowance, type RaiseAllowanceParameters } from "./raiseAllowance.ts";
export { aaveV3Repay, type AaveV3RepayArguments, aaveV3Supply, type AaveV3SupplyArguments } from "./recipes/aaveV3.ts";
export { compoundV3Supply, type CompoundV3SupplyArguments } from "./recipes/compoundV3.ts";
export {
  curveAddLiquidity,
  type CurveAddLiquidityArguments,
  curveExchange,
  type CurveExchangeArguments,
} from "./recipes/curve.ts";
export { erc4626Deposit, type Erc4626DepositArguments } from "./recipes/erc4626.ts";
export {
  lidoSubmit,
  lidoSubmitAndWrap,
  type LidoSubmitAndWrapArguments,
  type LidoSubmitArguments,
  lidoWrap,
  type LidoWrapArguments,
} from "./recipes/lido.ts";
export {
  type MorphoBlueArguments,
  morphoBlueRepay,
  morphoBlueSupply,
  morphoBlueSupplyCollateral,
  type MorphoMarket,
} from "./recipes/morphoBlue.ts";
export {
  nftMintWithNative,
  type NftMintWithNativeArguments,
  nftMintWithToken,
  type NftMintWithTokenArguments,
} from "./recipes/nftMint.ts";
export {
  type CallTradeType,
  type AnyRecipe,
  type ArgumentsOf,
  type LiveWay,
  type Recipe,
  type RecipeContext,
  type RecipeCredit,
  type RecipeInput,
  type RecipeMinimum,
  type RecipeUse,
} from "./recipes/recipe.ts";
export { uniswapV2Swap, type UniswapV2SwapArguments } from "./recipes/uniswapV2.ts";
export { uniswapV3Swap, type UniswapV3SwapArguments } from "./recipes/uniswapV3.ts";
export { universalRouterSwap, type UniversalRouterSwapArguments } from "./recipes/universalRouter.ts";
export { unwrapNative, type WrappedNativeArguments, wrapNative } from "./recipes/wrappedNative.ts";
export { resetAllowance, type ResetAllowanceParameters } from "./resetAllowance.ts";
export { type RouterMetadata, type RouterParameters, type RouterVersion } from "./routerCall.ts";
export { ROUTER_VERSIONS } from "../protocol/schema/values.ts";
