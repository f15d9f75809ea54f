import { type Abi, getAddress, type Hex, isAddress, maxUint256, size } from "viem";
import { type DecodedArgument, formatValue, type ValueNotation } from "@crosscall/sdk/kit";
import { classifyRevert, readPanic } from "@crosscall/protocol/reverts";

import type { CallFrame, FrameLog } from "./callFrame.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { TraceLog, TraceNode } from "../replayReport.ts";
import { type AbiIndex, createAbiIndex, type DecodedItem } from "./abiIndex.ts";
import { numberCalls } from "./orderCalls.ts";
import { printable } from "@crosscall/protocol/core";

interface ReadTraceParameters {
  readonly frame: CallFrame;
  readonly plan: FillPlan;
  /** ABIs of called contracts; they take precedence over the kit's ABIs. */
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

/** Returns whether a call failed and its caller continued. */
function isSwallowedIn({ error, calls }: CallFrame, place: number): boolean {
  return calls[place]?.error !== undefined && (error === undefined || place < calls.length - 1);
}

/** Maximum length of bytes. Longer bytes are cut, because nested calls are in the trace anyway. */
const BYTES_MAX = 36;

/** Maximum nesting of errors. Deeper nesting is malicious. */
const WRAPS_MAX = 8;

const NOTATION: ValueNotation = {
  number: (_path, value) => (value === maxUint256 ? "the maximum" : String(value)),
  text(value) {
    if (isAddress(value, { strict: false })) return getAddress(value);
    return /^0x(?:[0-9a-f]{2})*$/u.test(value) ? shorten(value as Hex) : JSON.stringify(printable(value));
  },
};

function describeCall(data: Hex, index: AbiIndex): string | undefined {
  if (size(data) < 4) return undefined;
  const read = index.readCall(data);
  return read && `${read.item.name}(${describeArguments(read.args)})`;
}

function describeResult({ input, output }: CallFrame, index: AbiIndex): string | undefined {
  if (size(input) < 4 || output === "0x") return undefined;
  const results = index.readResult(input, output);
  if (results === undefined || results.length === 0) return undefined;
  const [only] = results;
  return results.length === 1 && only !== undefined
    ? formatValue("", only.value, NOTATION)
    : `(${describeArguments(results)})`;
}

function describeEvent(log: FrameLog, index: AbiIndex): string | undefined {
  const item = index.readEvent(log);
  return item && describeItem(item);
}

/** Returns the error with its arguments, the name of a panic, the message, or the engine's text. */
export function describeFailure({ error, errorText, output }: CallFrame, index: AbiIndex): string | undefined {
  switch (error) {
    case undefined:
      return undefined;
    case "out of gas":
      return "out of gas";
    case "other":
      return printable(errorText ?? "the call ended without a revert");
    case "reverted":
      return describeRevert(output, index);
  }
}

/** Replaces the bytes of wrapped errors with the decoded errors. */
function describeRevert(data: Hex, index: AbiIndex, depth = 0): string {
  if (data === "0x") return "no revert data";
  const panic = readPanic(data);
  if (panic !== undefined) return panic;
  const item = index.readError(data);
  if (item === undefined) return printable(classifyRevert({ data }).description);
  if (item.signature === "Error(string)") return printable(String(item.args[0]?.value));
  const parts = item.args.map((argument) => {
    const inner = argument.type === "bytes" ? (argument.value as Hex) : "0x";
    const isRevert = size(inner) >= 4 && depth < WRAPS_MAX && isKnownRevert(inner, index);
    return isRevert ? named(argument, describeRevert(inner, index, depth + 1)) : describeArgument(argument);
  });
  return `${item.name}(${parts.join(", ")})`;
}

function isKnownRevert(data: Hex, index: AbiIndex): boolean {
  return readPanic(data) !== undefined || index.readError(data) !== undefined;
}

function describeItem({ name, args }: DecodedItem): string {
  return `${name}(${describeArguments(args)})`;
}

function describeArguments(args: readonly DecodedArgument[]): string {
  return args.map(describeArgument).join(", ");
}

function describeArgument(argument: DecodedArgument): string {
  return named(argument, formatValue("", argument.value, NOTATION));
}

function named({ name }: DecodedArgument, text: string): string {
  return name === "" ? text : `${name}: ${text}`;
}

function shorten(bytes: Hex): string {
  return size(bytes) <= BYTES_MAX ? bytes : `${bytes.slice(0, 10)}… (${size(bytes)} bytes)`;
}
