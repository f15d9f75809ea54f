import { decodeFunctionData, type Hex, parseAbi } from "viem";

import { routerAbi } from "../../abi/router.generated.ts";
import { isSameAddress } from "../../chains/address.ts";
import type { CallFrame } from "../callFrame.ts";
import type { FillPlan } from "../fillPlan.ts";

/** A call as the router was told to make it. */
interface Entry {
  readonly target: string;
  readonly callData: Hex;
}

const olderMulticall = parseAbi([
  "struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }",
  "function multicall(Call3Value[] calls, address refundTo, address nftRecipient) payable",
]);

/** Where the order's calls are in a trace. */
export interface NumberedCalls {
  /** The router's multicall; undefined for a fill without calls. */
  readonly multicall: CallFrame | undefined;
  /** How many calls of the multicall are the solver's own, before those of the order. */
  readonly solverCalls: number;
  /** Each of the order's calls that was made, with its place among them, from 0. */
  readonly indexes: ReadonlyMap<CallFrame, number>;
}

/** Finds the order's calls in a trace: the solver's own payment and swaps stand before them in the multicall. */
export function numberCalls(root: CallFrame, plan: FillPlan): NumberedCalls {
  const found = findMulticall(root, plan);
  if (found === undefined) return { multicall: undefined, solverCalls: 0, indexes: new Map() };
  const { frame, entries } = found;
  const solverCalls = Math.max(0, entries.length - plan.calls.length);
  const indexes = new Map<CallFrame, number>();
  let next = 0;
  for (const call of frame.calls) {
    const place = entries.findIndex((entry, index) => index >= next && isMadeBy(entry, call));
    if (place < 0) continue;
    next = place + 1;
    if (place >= solverCalls) indexes.set(call, place - solverCalls);
  }
  return { multicall: frame, solverCalls, indexes };
}

function findMulticall(
  frame: CallFrame,
  plan: FillPlan,
): { readonly frame: CallFrame; readonly entries: readonly Entry[] } | undefined {
  const entries = frame.to !== undefined && isSameAddress(frame.to, plan.router) ? readEntries(frame.input) : undefined;
  if (entries !== undefined) return { frame, entries };
  for (const call of frame.calls) {
    const found = findMulticall(call, plan);
    if (found !== undefined) return found;
  }
  return undefined;
}

function readEntries(data: Hex): readonly Entry[] | undefined {
  for (const abi of [routerAbi, olderMulticall]) {
    try {
      const decoded = decodeFunctionData({ abi, data });
      if (decoded.functionName === "multicall") return decoded.args[0];
    } catch {
      // The other version's, or another function.
    }
  }
  return undefined;
}

function isMadeBy({ target, callData }: Entry, { to, input }: CallFrame): boolean {
  return to !== undefined && isSameAddress(target, to) && callData.toLowerCase() === input.toLowerCase();
}
