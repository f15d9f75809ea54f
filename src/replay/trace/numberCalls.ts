import { isSameAddress } from "@crosscall/sdk/internal/chains/address";
import type { CallFrame } from "../callFrame.ts";
import type { FillCall, FillPlan } from "../fillPlan.ts";
import { type Multicall, readMulticall } from "../readMulticall.ts";

/** Where the order's calls are in a trace. */
export interface NumberedCalls {
  /** The router's frame; undefined for a fill without calls. */
  readonly frame: CallFrame | undefined;
  readonly multicall: Multicall | undefined;
  /** How many calls of the multicall are the solver's own, before those of the order. */
  readonly solverCalls: number;
  /** Each call that the multicall was told to make, and made, with its place among all of them, from 0. */
  readonly places: ReadonlyMap<CallFrame, number>;
  /** Each of the order's calls that was made, with its place among them, from 0. */
  readonly indexes: ReadonlyMap<CallFrame, number>;
}

/** Finds the order's calls in a trace: the solver's own payment and swaps stand before them in the multicall. */
export function numberCalls(root: CallFrame, plan: FillPlan): NumberedCalls {
  const found = findMulticall(root, plan);
  if (found === undefined) {
    return { frame: undefined, multicall: undefined, solverCalls: 0, places: new Map(), indexes: new Map() };
  }
  const { frame, multicall } = found;
  const solverCalls = Math.max(0, multicall.calls.length - plan.calls.length);
  const places = new Map<CallFrame, number>();
  let next = 0;
  for (const call of frame.calls) {
    const place = multicall.calls.findIndex((entry, index) => index >= next && isMadeBy(entry, call));
    if (place < 0) continue;
    next = place + 1;
    places.set(call, place);
  }
  const ofOrder = [...places].filter(([, place]) => place >= solverCalls);
  return {
    ...found,
    solverCalls,
    places,
    indexes: new Map(ofOrder.map(([call, place]) => [call, place - solverCalls])),
  };
}

interface FoundMulticall {
  readonly frame: CallFrame;
  readonly multicall: Multicall;
}

function findMulticall(frame: CallFrame, plan: FillPlan): FoundMulticall | undefined {
  const isRouter = frame.to !== undefined && isSameAddress(frame.to, plan.router);
  const multicall = isRouter ? readMulticall(frame.input) : undefined;
  if (multicall !== undefined) return { frame, multicall };
  for (const call of frame.calls) {
    const found = findMulticall(call, plan);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isMadeBy(entry: FillCall, { to, input }: CallFrame): boolean {
  return to !== undefined && isSameAddress(entry.to, to) && entry.data.toLowerCase() === input.toLowerCase();
}
