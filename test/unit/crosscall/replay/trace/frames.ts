import { type Abi, type Address, type Hex, encodeEventTopics, encodeFunctionData, parseAbi, zeroHash } from "viem";

import { localRouterAddress } from "../../../../../packages/protocol/src/generations/routers.ts";
import type { CallFrame, FrameLog } from "../../../../../packages/crosscall/src/replay/trace/callFrame.ts";
import type { FillCall, FillPlan } from "../../../../../packages/crosscall/src/replay/fillPlan.ts";
import { routerAbi } from "../../../../../packages/protocol/src/abi/service.generated.ts";

export const ROUTER: Address = localRouterAddress("3.0");
export const SOLVER: Address = "0xf70da97812CB96acDF810712Aa562db8dfA3dbEF";
export const TOKEN: Address = "0x00000000000000000000000000000000000000AA";
export const VAULT: Address = "0x00000000000000000000000000000000000000bb";
export const USER: Address = "0x00000000000000000000000000000000000000cc";

/** Returns a successful call without effects, except for the given fields. */
export function frameOf(parts: Partial<CallFrame>): CallFrame {
  return {
    kind: "CALL",
    from: ROUTER,
    to: TOKEN,
    value: 0n,
    gas: 100_000n,
    gasUsed: 21_000n,
    input: "0x",
    output: "0x",
    error: undefined,
    errorText: undefined,
    calls: [],
    logs: [],
    ...parts,
  };
}

/** Returns call data for a function's signature. */
export function dataOf(signature: string, ...args: readonly unknown[]): Hex {
  const abi: Abi = parseAbi([signature] as readonly string[]);
  return encodeFunctionData({ abi, args });
}

/** Returns an event in which only the last argument is not indexed. */
export function logOf(
  signature: string,
  address: Address,
  args: readonly unknown[],
  data: Hex,
  position = 0,
): FrameLog {
  const abi: Abi = parseAbi([signature] as readonly string[]);
  const topics = encodeEventTopics({ abi, args: [...args] } as never) as Hex[];
  return { address, topics, data, position };
}

export function callTo(to: Address, data: Hex, value = 0n): FillCall {
  return { to, data, value, allowFailure: false };
}

export function planOf(calls: readonly FillCall[]): FillPlan {
  return {
    chainId: 31_337,
    router: ROUTER,
    routerVersion: "v3",
    solver: SOLVER,
    currency: TOKEN,
    minimumAmount: 990n,
    expectedAmount: 1_000n,
    calls,
    refundTo: USER,
    nftRecipient: USER,
    recipient: USER,
    orderId: zeroHash,
  };
}

/** Returns a fill's multicall, which follows the solver's own calls. */
export function multicallOf(
  { calls: orderCalls }: FillPlan,
  parts: Partial<CallFrame>,
  solverCalls: readonly FillCall[] = [],
): CallFrame {
  const entries = [...solverCalls, ...orderCalls].map(({ to, data, value, allowFailure }) => ({
    target: to,
    allowFailure,
    value,
    callData: data,
  }));
  const input = encodeFunctionData({ abi: routerAbi, functionName: "multicall", args: [entries, USER, USER, "0x"] });
  return frameOf({ from: SOLVER, to: ROUTER, input: `${input}${"00".repeat(32)}`, ...parts });
}
