import { isSameAddress } from "@crosscall/sdk/internal/chains/address";
import type { CallFrame } from "../callFrame.ts";
import type { FillCall, FillPlan } from "../fillPlan.ts";
import { type Multicall, readMulticall } from "../readMulticall.ts";

export interface NumberedCalls {
  readonly frame: CallFrame | undefined;
  readonly multicall: Multicall | undefined;
  /** Number of the multicall's calls that come before the order's. */
  readonly solverCalls: number;
  readonly places: ReadonlyMap<CallFrame, number>;
  readonly indexes: ReadonlyMap<CallFrame, number>;
}

/** The solver's own payment and swaps precede the order's calls in the multicall. */
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
