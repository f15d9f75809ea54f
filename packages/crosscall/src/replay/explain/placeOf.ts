import { type Address, getAddress, size, slice } from "viem";

import type { RaisedIn } from "../causes/catalog.ts";
import type { CallFrame } from "../trace/callFrame.ts";

/** Returns the contract with the state that the frame uses: for a delegated call, the caller. */
export function contractOf({ kind, from, to }: Pick<CallFrame, "kind" | "from" | "to">): Address {
  return getAddress(kind === "DELEGATECALL" || kind === "CALLCODE" || to === undefined ? from : to);
}

/**
 * Returns where the last frame raised its error: its contract, and the functions of this contract that are running. The
 * functions of its callers say nothing about it.
 *
 * @param frames frames from the root
 */
export function placeOf(frames: readonly CallFrame[]): RaisedIn {
  const { contract, own } = ownFrames(frames);
  return { contract, selectors: own.filter(({ input }) => size(input) >= 4).map(({ input }) => slice(input, 0, 4)) };
}

/** Returns the contract of the last frame, and its frames. */
export function ownFrames(frames: readonly CallFrame[]): {
  readonly contract: Address;
  readonly own: readonly CallFrame[];
} {
  const contracts: Address[] = [];
  for (const frame of frames) {
    // Nodes differ in the sender of a call by delegated code.
    const outer = frame.kind === "DELEGATECALL" || frame.kind === "CALLCODE" ? contracts.at(-1) : undefined;
    contracts.push(outer ?? contractOf(frame));
  }
  const contract = contracts.at(-1);
  if (contract === undefined) throw new RangeError("no frame");
  return { contract, own: frames.filter((_, depth) => contracts[depth] === contract) };
}
