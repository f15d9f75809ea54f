import { isSameAddress } from "@crosscall/protocol/chains";

import type { CallFrame } from "./callFrame.ts";
import { type FillPlan, type Multicall, readMulticall } from "../fillPlan.ts";

export interface NumberedCalls {
  readonly frame: CallFrame | undefined;
  readonly multicall: Multicall | undefined;
  /** Number of calls in the multicall before the order's calls. */
  readonly solverCalls: number;
  readonly places: ReadonlyMap<CallFrame, number>;
  readonly indexes: ReadonlyMap<CallFrame, number>;
}

/** Numbers the order's calls. The solver's own payment and swaps come before them in the multicall. */
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

/** Target and data of a call. */
export interface CalledData {
  readonly to: string;
  readonly data: string;
}

/**
 * Finds the frames of successive calls by one contract. Returns the last frames if the calls are made more than once.
 */
export function findCalls(root: CallFrame, calls: readonly CalledData[]): ReadonlyMap<CallFrame, number> {
  const found = new Map<CallFrame, number>();
  let next = calls.length - 1;
  for (const frame of root.calls.toReversed()) {
    const wanted = calls[next];
    if (wanted === undefined || !isMadeBy(wanted, frame)) continue;
    found.set(frame, next);
    next -= 1;
  }
  if (next < 0) return found;
  for (const frame of root.calls) {
    const inside = findCalls(frame, calls);
    if (inside.size > 0) return inside;
  }
  return new Map();
}

function isMadeBy(entry: CalledData, { to, input }: CallFrame): boolean {
  return to !== undefined && isSameAddress(entry.to, to) && entry.data.toLowerCase() === input.toLowerCase();
}

interface WalkedCall {
  readonly frame: CallFrame;
  /** Index of the order's call, from 0; undefined outside of the order's calls. */
  readonly txIndex: number | undefined;
}

/** Lists successful calls in order of execution, parents first. */
export function walkCalls(
  frame: CallFrame,
  indexes: ReadonlyMap<CallFrame, number>,
  outer?: number,
): readonly WalkedCall[] {
  if (frame.error !== undefined) return [];
  const txIndex = indexes.get(frame) ?? outer;
  return [{ frame, txIndex }, ...frame.calls.flatMap((call) => walkCalls(call, indexes, txIndex))];
}

/** Lists all calls in order of execution, parents first. */
export function allCalls(frame: CallFrame): readonly CallFrame[] {
  return [frame, ...frame.calls.flatMap(allCalls)];
}

/** Lists the successful calls that ended before the call at `path`, in the order in which they ended. */
export function callsBefore(frame: CallFrame, [place, ...rest]: readonly number[]): readonly CallFrame[] {
  if (place === undefined) return [];
  const call = frame.calls[place];
  return [
    ...frame.calls.slice(0, place).flatMap(successfulCalls),
    ...(call === undefined ? [] : callsBefore(call, rest)),
  ];
}

function successfulCalls(frame: CallFrame): readonly CallFrame[] {
  return frame.error === undefined ? [...frame.calls.flatMap(successfulCalls), frame] : [];
}
