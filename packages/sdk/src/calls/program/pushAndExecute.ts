import { type Address, concatHex, encodeFunctionData, type Hex } from "viem";

import { rejectMisspelledOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { pushExecutorAbi } from "@crosscall/protocol/abi";
import { EVM_NATIVE_CURRENCY, parseEvmAddress } from "@crosscall/protocol/chains";
import type { Call } from "@crosscall/protocol/common";
import { cleanupErc20s, cleanupNativeViaCall, requireNative } from "../cleanups.ts";
import type { RouterParameters } from "../routerCall.ts";
import { decodeProgram } from "./decodeProgram.ts";

export interface PushAndExecuteParameters extends RouterParameters {
  readonly executor: Address;
  /** From `encodeProgram`. */
  readonly program: Hex;
}

/**
 * Builds the `txs` that push the router's live balances to the executor and run a program with them: the whole balance
 * of each token with a minimum input in the program. Put no calls in between, because a called contract could run its
 * own program with the pushed tokens. Code called by a token hook could do the same, so prefer {@link pullAndExecute}
 * for a single token.
 *
 * @throws {@link InvalidInputError} when an address is invalid
 * @throws {@link MalformedDataError} when the program is invalid
 */
export function pushAndExecute(parameters: PushAndExecuteParameters): Call[] {
  rejectMisspelledOptions(parameters, ["executor", "program", "router", "routerVersion"]);
  const { executor, program, ...router } = parameters;
  const pushed = decodeProgram(program).tokens.flatMap(({ token, minimumIn }) => (minimumIn > 0n ? [token] : []));
  const tokens = pushed.filter((token) => token !== EVM_NATIVE_CURRENCY);
  const to = parseEvmAddress(executor, "executor");
  const data = concatHex([encodeFunctionData({ abi: pushExecutorAbi, functionName: "execute" }), program]);
  return [
    ...(tokens.length === 0
      ? []
      : [cleanupErc20s({ ...router, cleanups: tokens.map((token) => ({ token, recipient: to })) })]),
    ...(pushed.includes(EVM_NATIVE_CURRENCY)
      ? [requireNative(router), cleanupNativeViaCall({ ...router, to, data })]
      : [{ to, data, value: "0" }]),
  ];
}
