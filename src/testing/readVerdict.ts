import { classifyRevert } from "../protocol/reverts/classifyRevert.ts";
import type { CallFrame } from "../replay/callFrame.ts";
import type { Verdict } from "../replay/verdict.ts";

/** What a fill's trace comes to. */
export function readVerdict(trace: CallFrame): Verdict {
  if (trace.error === undefined) return { outcome: "success" };
  const txIndex = trace.calls.findLastIndex(({ error }) => error !== undefined);
  const { failReason, description } = classifyRevert({
    data: trace.output,
    isOutOfGas: trace.output === "0x" && causeOf(trace).error === "out of gas",
  });
  return {
    outcome: "failure",
    failReason,
    txIndex: txIndex < 0 ? undefined : txIndex,
    error: description,
    condition: undefined,
    path: txIndex < 0 ? [] : [txIndex],
    cure: "",
  };
}

/** The innermost call that failed and made those above it fail. */
function causeOf(frame: CallFrame): CallFrame {
  const last = frame.calls.at(-1);
  return last?.error === undefined ? frame : causeOf(last);
}
