import type { CallOperation, Operation } from "./operation.ts";

/** Whether a contract is called to give back all native that it has, as Uniswap's periphery does. */
export function isNativeRefund(operation: Operation): operation is CallOperation {
  return operation.kind === "call" && operation.call.kind === "function" && operation.call.signature === "refundETH()";
}
