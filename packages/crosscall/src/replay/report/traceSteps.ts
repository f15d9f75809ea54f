import type { TraceLog, TraceNode } from "../replayReport.ts";

export type TraceStep =
  | { readonly kind: "call"; readonly node: TraceNode; readonly index: number }
  | { readonly kind: "log"; readonly log: TraceLog };

export function stepsOf({ calls, logs }: TraceNode): TraceStep[] {
  const logsAfter = (made: number): TraceStep[] =>
    logs.filter(({ position }) => position === made).map((log) => ({ kind: "log", log }));
  return [
    ...logsAfter(0),
    ...calls.flatMap((node, index): TraceStep[] => [{ kind: "call", node, index }, ...logsAfter(index + 1)]),
  ];
}
