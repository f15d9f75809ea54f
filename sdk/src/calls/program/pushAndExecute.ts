import { type Address, encodeFunctionData, type Hex } from "viem";

import { pushExecutorAbi } from "../../abi/pushExecutor.generated.ts";
import { EVM_NATIVE_CURRENCY, parseEvmAddress } from "../../chains/address.ts";
import type { Call } from "../../protocol/common/call.ts";
import { cleanupErc20s } from "../cleanupErc20s.ts";
import { cleanupNativeViaCall } from "../cleanupNativeViaCall.ts";
import type { RouterParameters } from "../routerCall.ts";
import { decodeProgram } from "./decodeProgram.ts";

/** What {@link pushAndExecute} takes. */
export interface PushAndExecuteParameters extends RouterParameters {
  readonly executor: Address;
  /** Made by `encodeProgram`. */
  readonly program: Hex;
}

/**
 * The `txs` that push the router's live balances to the executor and run a program over them: of each token of which
 * the program asks for a minimum in, the whole balance. Let nothing stand between them, or whoever is called there can
 * run a program of his own over what was pushed.
 *
 * @throws {@link InvalidInputError} when an address is none
 * @throws {@link MalformedDataError} when the program is none
 */
export function pushAndExecute({ executor, program, ...router }: PushAndExecuteParameters): Call[] {
  const pushed = decodeProgram(program).tokens.flatMap(({ token, minimumIn }) => (minimumIn > 0n ? [token] : []));
  const tokens = pushed.filter((token) => token !== EVM_NATIVE_CURRENCY);
  const to = parseEvmAddress(executor, "executor");
  const data = encodeFunctionData({ abi: pushExecutorAbi, functionName: "execute", args: [program] });
  return [
    ...(tokens.length === 0
      ? []
      : [cleanupErc20s({ ...router, cleanups: tokens.map((token) => ({ token, recipient: to })) })]),
    pushed.includes(EVM_NATIVE_CURRENCY) ? cleanupNativeViaCall({ ...router, to, data }) : { to, data, value: "0" },
  ];
}
