import type { CallFrame } from "../callFrame.ts";

export interface WalkedCall {
  readonly frame: CallFrame;
  /** From 0; undefined outside the order's calls. */
  readonly txIndex: number | undefined;
}

/** Successful calls in order of execution, parents first. */
export function walkCalls(
  frame: CallFrame,
  indexes: ReadonlyMap<CallFrame, number>,
  outer?: number,
): readonly WalkedCall[] {
  if (frame.error !== undefined) return [];
  const txIndex = indexes.get(frame) ?? outer;
  return [{ frame, txIndex }, ...frame.calls.flatMap((call) => walkCalls(call, indexes, txIndex))];
}
