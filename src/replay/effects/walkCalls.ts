import type { CallFrame } from "../callFrame.ts";

/** A call that had an effect, with the order's call in which it was made. */
export interface WalkedCall {
  readonly frame: CallFrame;
  /** From 0; undefined where it is none of the order's. */
  readonly txIndex: number | undefined;
}

/** All calls of a trace but those that failed and what was below them, each before the ones that it made. */
export function walkCalls(
  frame: CallFrame,
  indexes: ReadonlyMap<CallFrame, number>,
  outer?: number,
): readonly WalkedCall[] {
  if (frame.error !== undefined) return [];
  const txIndex = indexes.get(frame) ?? outer;
  return [{ frame, txIndex }, ...frame.calls.flatMap((call) => walkCalls(call, indexes, txIndex))];
}
