import type { CallOperation, Operation } from "./operation.ts";

/** Returns all native currency, as Uniswap's periphery does. */
export function isNativeRefund(operation: Operation): operation is CallOperation {
  return operation.kind === "call" && operation.call.kind === "function" && operation.call.signature === "refundETH()";
}
