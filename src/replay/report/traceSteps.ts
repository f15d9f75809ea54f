import type { TraceLog, TraceNode } from "../replayReport.ts";

/** What a call did: called another one, or emitted an event. */
export type TraceStep =
  | { readonly kind: "call"; readonly node: TraceNode; readonly index: number }
  | { readonly kind: "log"; readonly log: TraceLog };

/** What a call did, in the order in which it did so. */
export function stepsOf({ calls, logs }: TraceNode): TraceStep[] {
  const logsAfter = (made: number): TraceStep[] =>
    logs.filter(({ position }) => position === made).map((log) => ({ kind: "log", log }));
  return [
    ...logsAfter(0),
    ...calls.flatMap((node, index): TraceStep[] => [{ kind: "call", node, index }, ...logsAfter(index + 1)]),
  ];
}
