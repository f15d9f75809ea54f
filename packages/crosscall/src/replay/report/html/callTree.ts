import { zeroAddress } from "viem";

import type { ReplayReport, TraceNode } from "../../replayReport.ts";
import type { Notation } from "../notation.ts";
import { describeCall, describeLog } from "../summary.ts";
import { stepsOf } from "../traceSteps.ts";
import { type Markup, markup } from "./markup.ts";

const OPEN_DEPTH = 2;

export function callTree({ trace, verdict }: ReplayReport, notation: Notation): Markup {
  const cause = verdict.outcome === "failure" ? verdict.path : undefined;
  return markup`<div class="tree"><ul>${item(trace, [], { notation, cause })}</ul></div>`;
}

interface Tree {
  readonly notation: Notation;
  readonly cause: readonly number[] | undefined;
}

function item(node: TraceNode, path: readonly number[], tree: Tree): Markup {
  const { notation, cause } = tree;
  const isOnWay = cause !== undefined && path.every((index, depth) => cause[depth] === index);
  const isCause = isOnWay && cause.length === path.length;
  const line = markup`<span${isCause ? markup` class="cause"` : ""}>${describe(node, notation)}${
    isCause ? markup` <span class="badge error">the cause</span>` : ""
  }</span>`;
  const steps = stepsOf(node);
  if (steps.length === 0) return markup`<li class="leaf">${line}</li>\n`;
  const inner = steps.map((step) =>
    step.kind === "call"
      ? item(step.node, [...path, step.index], tree)
      : markup`<li class="leaf quiet">emits ${describeLog(step.log, notation)}</li>\n`,
  );
  const open = isOnWay || path.length < OPEN_DEPTH ? markup` open` : "";
  return markup`<li><details${open}><summary>${line}</summary><ul>${inner}</ul></details></li>\n`;
}

function describe(node: TraceNode, notation: Notation): Markup {
  const { frame, result, error, isSwallowed, txIndex } = node;
  return markup`${txIndex === undefined ? "" : markup`<span class="badge">txs[${txIndex}]</span> `}${
    frame.kind === "CALL" ? "" : markup`<span class="badge">${frame.kind.toLowerCase()}</span> `
  }${describeCall(node, notation)}${frame.value === 0n ? "" : ` with ${notation.amountOf(frame.value, zeroAddress)}`}${
    result === undefined ? "" : ` → ${notation.textOf(result)}`
  } <span class="quiet">${frame.gasUsed} gas</span>${
    error === undefined
      ? ""
      : markup` <span class="error">✗ ${notation.textOf(error)}${isSwallowed ? " (the fill continues)" : ""}</span>`
  }`;
}
