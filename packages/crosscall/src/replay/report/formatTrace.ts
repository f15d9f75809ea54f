import { zeroAddress } from "viem";

import type { TraceNode } from "../replayReport.ts";
import type { Notation } from "./notation.ts";
import { shown } from "./shown.ts";
import { describeCall, describeLog } from "./summary.ts";
import { stepsOf } from "./traceSteps.ts";

/** A terminal shows at most this many lines; HTML and JSON have all. */
const SHOWN_LINES = 300;
const SHOWN_CHARACTERS = 240;

/**
 * An indented tree: kind of call, value, gas, result and error; events in order of emission; the cause of the failure
 * is marked.
 *
 * @param cause path of the call that caused the failure
 */
export function formatTrace(root: TraceNode, notation: Notation, cause: readonly number[] | undefined): string[] {
  const lines: string[] = [];
  const add = (node: TraceNode, path: readonly number[]): void => {
    const isCause = cause?.length === path.length && cause.every((index, depth) => path[depth] === index);
    lines.push(`${"  ".repeat(path.length)}${toLine(node, notation)}${isCause ? "  <-- the cause" : ""}`);
    for (const step of stepsOf(node)) {
      if (step.kind === "call") add(step.node, [...path, step.index]);
      else lines.push(`${"  ".repeat(path.length + 1)}emits ${describeLog(step.log, notation)}`);
    }
  };
  add(root, []);
  if (lines.length <= SHOWN_LINES) return lines;
  return [...lines.slice(0, SHOWN_LINES), `… ${lines.length - SHOWN_LINES} more lines: see the page or the JSON`];
}

function toLine(node: TraceNode, notation: Notation): string {
  const { frame, result, error, isSwallowed, txIndex } = node;
  const parts = [
    ...(txIndex === undefined ? [] : [`txs[${txIndex}]`]),
    ...(frame.kind === "CALL" ? [] : [frame.kind.toLowerCase()]),
    cut(describeCall(node, notation)),
    ...(frame.value === 0n ? [] : [`with ${notation.amountOf(frame.value, zeroAddress)}`]),
    ...(result === undefined ? [] : [`-> ${cut(notation.textOf(result))}`]),
    `[${frame.gasUsed} gas]`,
    ...(error === undefined
      ? []
      : [`FAILS: ${cut(notation.textOf(error))}${isSwallowed ? " (the fill continues)" : ""}`]),
  ];
  return parts.join(" ");
}

function cut(text: string): string {
  return shown(text, SHOWN_CHARACTERS);
}
