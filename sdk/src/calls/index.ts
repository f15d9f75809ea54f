export { ROUTER_VERSIONS } from "../protocol/schema/values.ts";
export { approve, resetAllowance } from "./approve.ts";
export { callProxy } from "./callProxy.ts";
export { CallsRefusedError, checkCalls, requireSoundCalls } from "./check/checkCalls.ts";
export type { CallFinding } from "./check/finding.ts";
export { formatFindings } from "./check/formatFindings.ts";
export type { CallFacts, CheckCallsParameters, KnownProxy } from "./check/parameters.ts";
export { CALL_RULES, type FindingCode } from "./check/rules.ts";
export { cleanupErc20s, cleanupErc20sViaCall, cleanupNative, cleanupNativeViaCall, requireNative } from "./cleanups.ts";
export { callContract } from "./contractAction.ts";
export { decodeCalls } from "./decode/decodeCalls.ts";
export type { DecodedCall } from "./decode/decodedCall.ts";
export { formatCalls } from "./decode/formatCalls.ts";
export type { PlannedCalls } from "./plan/planTerms.ts";
export {
  type CallPlan,
  planCalls,
  type PlannedAction,
  type ProxyAction,
} from "./planCalls.ts";
export { planRecipe, type PlanRecipeParameters } from "./planRecipe.ts";
export { callFunction } from "./program/callFunction.ts";
export { decodeProgram } from "./program/decodeProgram.ts";
export { encodeProgram } from "./program/encodeProgram.ts";
export { formatProgram } from "./program/formatProgram.ts";
export { live } from "./program/live.ts";
export { packed } from "./program/packed.ts";
export type { ExecutorContracts, Program, ProgramStep } from "./program/program.ts";
export { pullAndExecute } from "./program/pullAndExecute.ts";
export { pushAndExecute } from "./program/pushAndExecute.ts";
export { returned } from "./program/returned.ts";
export { raiseAllowance } from "./raiseAllowance.ts";
export { aaveV3Repay, aaveV3Supply } from "./recipes/aaveV3.ts";
export { compoundV3Supply } from "./recipes/compoundV3.ts";
export { curveAddLiquidity, curveExchange } from "./recipes/curve.ts";
export { erc4626Deposit } from "./recipes/erc4626.ts";
export { lidoSubmit, lidoSubmitAndWrap, lidoWrap } from "./recipes/lido.ts";
export { morphoBlueRepay, morphoBlueSupply, morphoBlueSupplyCollateral } from "./recipes/morphoBlue.ts";
export { nftMintWithNative, nftMintWithToken } from "./recipes/nftMint.ts";
export { uniswapV2Swap } from "./recipes/uniswapV2.ts";
export { uniswapV3Swap } from "./recipes/uniswapV3.ts";
export { universalRouterSwap } from "./recipes/universalRouter.ts";
export { unwrapNative, wrapNative } from "./recipes/wrappedNative.ts";
export type { RouterVersion } from "./routerCall.ts";
export { readCallFacts } from "./check/readCallFacts.ts";
