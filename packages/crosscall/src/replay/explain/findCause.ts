import type { CallFrame } from "../trace/callFrame.ts";

export interface Cause {
  /** Path from the root: index of each frame among its parent's calls. */
  readonly path: readonly number[];
  /** Frames from the root to the cause. */
  readonly frames: readonly CallFrame[];
  /** Deepest frame that failed by itself. */
  readonly frame: CallFrame;
}

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
  // A call passes on 63/64 of its gas. If it runs out of gas, its callers fail too, with any error.
  const starved = failed.findLast(({ call }) => endsByGas(call));
  if (starved !== undefined && (error === "out of gas" || starved.place === calls.length - 1)) return starved.place;
  if (error !== "reverted") return undefined;
  const passed = failed.findLast(({ call }) => call.output !== "0x" && output.includes(call.output.slice(2)));
  // Otherwise, the cause is the failed call right before the revert: the caller replaced the error.
  return passed?.place ?? (last.place === calls.length - 1 ? last.place : undefined);
}

function endsByGas({ error, calls }: CallFrame): boolean {
  const last = calls.at(-1);
  return error === "out of gas" || (error !== undefined && last !== undefined && endsByGas(last));
}
