import type { CallFrame } from "../callFrame.ts";

/** Where a transaction went wrong. */
export interface Cause {
  /** Place of each frame among its parent's calls, from the root. */
  readonly path: readonly number[];
  /** The frames along the path, the root first, the cause last. */
  readonly frames: readonly CallFrame[];
  /** The deepest frame that failed by itself. */
  readonly frame: CallFrame;
}

/** Follows a failed transaction down to the call that made it fail. */
export function findCause(root: CallFrame): Cause {
  const path: number[] = [];
  const frames = [root];
  let frame = root;
  for (;;) {
    const place = findCausingCall(frame);
    const call = place === undefined ? undefined : frame.calls[place];
    if (place === undefined || call === undefined) return { path, frames, frame };
    path.push(place);
    frames.push(call);
    frame = call;
  }
}

function findCausingCall({ error, output, calls }: CallFrame): number | undefined {
  const failed = calls.flatMap((call, place) => (call.error === undefined ? [] : [{ call, place }]));
  const last = failed.at(-1);
  if (last === undefined) return undefined;
  // A call gives 63 of 64 parts of its gas on: one that starves takes its caller with it, whatever that says then.
  const starved = failed.findLast(({ call }) => endsByGas(call));
  if (starved !== undefined && (error === "out of gas" || starved.place === calls.length - 1)) return starved.place;
  if (error !== "reverted") return undefined;
  const told = failed.findLast(({ call }) => call.output !== "0x" && output.includes(call.output.slice(2)));
  // Else the one right before the revert, which the caller tells in its own words.
  return told?.place ?? (last.place === calls.length - 1 ? last.place : undefined);
}

function endsByGas({ error, calls }: CallFrame): boolean {
  const last = calls.at(-1);
  return error === "out of gas" || (error !== undefined && last !== undefined && endsByGas(last));
}
