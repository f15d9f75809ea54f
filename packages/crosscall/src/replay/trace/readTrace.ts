import type { Abi } from "viem";

import type { CallFrame } from "../callFrame.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { TraceLog, TraceNode } from "../replayReport.ts";
import { type AbiIndex, createAbiIndex } from "./abiIndex.ts";
import { describeCall, describeEvent, describeFailure, describeResult } from "./describeItem.ts";
import { numberCalls } from "./numberCalls.ts";

export interface ReadTraceParameters {
  readonly frame: CallFrame;
  readonly plan: FillPlan;
  /** ABIs of called contracts; they precede the kit's. */
  readonly abis?: readonly Abi[];
}

export function readTrace({ frame, plan, abis }: ReadTraceParameters): TraceNode {
  const index = createAbiIndex(abis);
  const { indexes } = numberCalls(frame, plan);
  return readNode(frame, false, { index, indexes });
}

interface Reading {
  readonly index: AbiIndex;
  readonly indexes: ReadonlyMap<CallFrame, number>;
}

function readNode(frame: CallFrame, isSwallowed: boolean, reading: Reading): TraceNode {
  const { calls, logs, ...own } = frame;
  const { index, indexes } = reading;
  const isCreation = frame.kind === "CREATE" || frame.kind === "CREATE2";
  return {
    frame: own,
    call: isCreation ? undefined : describeCall(frame.input, index),
    result: isCreation || frame.error !== undefined ? undefined : describeResult(frame, index),
    error: describeFailure(frame, index),
    isSwallowed,
    txIndex: indexes.get(frame),
    logs: logs.map((log): TraceLog => {
      const { address, topics, data, position } = log;
      return { address, event: describeEvent(log, index), topics, data, position };
    }),
    calls: calls.map((call, place) => readNode(call, isSwallowedIn(frame, place), reading)),
  };
}

/** Whether a call failed and its caller continued. */
function isSwallowedIn({ error, calls }: CallFrame, place: number): boolean {
  return calls[place]?.error !== undefined && (error === undefined || place < calls.length - 1);
}
