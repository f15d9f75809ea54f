export { approve, type ApproveParameters } from "./approve.ts";
export { callProxy, type CallProxyParameters } from "./callProxy.ts";
export { cleanupErc20s, type CleanupErc20sParameters, type Erc20Cleanup } from "./cleanupErc20s.ts";
export { cleanupNative, type CleanupNativeParameters } from "./cleanupNative.ts";
export {
  type CallAction,
  type CallPlan,
  planCalls,
  type PlannedAction,
  type PlannedCalls,
  type ProxyAction,
} from "./planCalls.ts";
export { resetAllowance, type ResetAllowanceParameters } from "./resetAllowance.ts";
