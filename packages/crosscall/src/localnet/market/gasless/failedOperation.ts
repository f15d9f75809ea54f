import { getAbiItem, toFunctionSelector } from "viem";
import { entryPoint07Abi } from "viem/account-abstraction";

import { isSameAddress } from "@crosscall/protocol/chains";
import type { DevChain } from "../../devchain/devChain.ts";
import type { TracedCall } from "../../devchain/readChain.ts";

/** Selector of the function in which the EntryPoint runs the calls of one operation. */
const INNER_HANDLE_OP = toFunctionSelector(getAbiItem({ abi: entryPoint07Abi, name: "innerHandleOp" }));

/**
 * Finds a failed ERC-4337 user operation: the EntryPoint does not revert when the calls of an operation do.
 *
 * @returns the failed calls, from the outermost to the innermost; undefined if no operation failed
 */
export function findFailedOperation(
  chain: Pick<DevChain, "contracts">,
  traced: TracedCall,
): readonly TracedCall[] | undefined {
  const { to, input, error, calls = [] } = traced;
  const isOperation =
    to !== undefined && isSameAddress(to, chain.contracts.entryPoint) && input?.startsWith(INNER_HANDLE_OP) === true;
  if (isOperation) {
    const failed = error === undefined ? calls.findLast((call) => call.error !== undefined) : traced;
    if (failed === undefined) return undefined;
    return failed === traced ? failedCalls(traced) : [traced, ...failedCalls(failed)];
  }
  for (const call of calls) {
    const found = findFailedOperation(chain, call);
    if (found !== undefined) return [traced, ...found];
  }
  return undefined;
}

/**
 * Returns a failed call and the inner calls that caused it: the last failure at each level, because earlier failures
 * were caught.
 */
export function failedCalls(traced: TracedCall): readonly TracedCall[] {
  const last = traced.calls?.at(-1);
  return last?.error === undefined ? [traced] : [traced, ...failedCalls(last)];
}
