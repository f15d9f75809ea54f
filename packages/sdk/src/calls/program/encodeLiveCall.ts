import { type Abi, type AbiFunction, BaseError, encodeFunctionData, hexToBytes, type Hex, size } from "viem";

import { InvalidInputError, InvalidStateError } from "@crosscall/protocol/core";
import { parseCallData } from "@crosscall/protocol/common";
import { fillBytes } from "./fillBytes.ts";
import { SENTINEL, SENTINEL_BYTES } from "./layout.ts";
import type { PackedBytes } from "./placeholder.ts";
import type { DataStep, FunctionStep } from "./program.ts";
import { type AmountSlot, fillUntyped, replacePlaceholders } from "./replacePlaceholders.ts";

const LONGEST_CALL_DATA = 65_535;

/** Amount with the offset of its bytes in the call data. */
export interface AmountPlace extends AmountSlot {
  readonly offset: number;
}

/** Call data with sentinels instead of amounts. */
export interface LiveCall {
  readonly data: Hex;
  readonly places: readonly AmountPlace[];
}

/** Encodes a step's call and locates its amounts. */
export function encodeLiveCall(step: FunctionStep | DataStep, path: string): LiveCall {
  const call = "data" in step ? encodeData(step.data, `${path}.data`) : encodeFunction(step, path);
  const field = "data" in step ? `${path}.data` : `${path}.args`;
  const length = size(call.data);
  if (length > LONGEST_CALL_DATA) {
    throw new InvalidInputError({
      field,
      value: `${length} bytes`,
      reason: `the call data of a step can have at most ${LONGEST_CALL_DATA} bytes`,
      hint: "Pass less data, or split the step.",
    });
  }
  requireNoStraySentinel(call, field);
  return call;
}

function encodeData(data: Hex | PackedBytes, path: string): LiveCall {
  if (typeof data === "string") return { data: lowerCase(parseCallData(data, path)), places: [] };
  const places = data.fields.map((field, index) => ({ ...field, path: `${path}.fields[${index}]` }));
  for (const place of places) {
    if (place.offset >= 4) continue;
    throw new InvalidInputError({
      field: `${place.path}.offset`,
      value: place.offset,
      reason: "the first four bytes of call data are the function's selector",
      hint: "Count the offset from the first byte of the selector.",
    });
  }
  return { data: lowerCase(fillBytes(data.bytes, data.fields, () => SENTINEL)), places };
}

function encodeFunction({ abi, functionName, args = [] }: FunctionStep, path: string): LiveCall {
  let amounts = 0;
  const untyped = args.map((arg) =>
    fillUntyped(arg, () => {
      amounts++;
      return SENTINEL;
    }),
  );
  const item = findFunction(abi, functionName, untyped, path);
  const slots: AmountSlot[] = [];
  const data = encodeArguments(item, args, path, (slot) => {
    slots.push(slot);
    return SENTINEL;
  });
  if (slots.length !== amounts) {
    throw new InvalidInputError({
      field: `${path}.args`,
      value: `${amounts} amounts`,
      reason: `${functionName} has arguments for only ${slots.length} of them`,
      hint: "Use the ABI's names for struct members.",
    });
  }
  // To locate a slot with any ABI, encodes the call again with a different number in that slot: only its bytes change.
  const places = slots.map((slot, index) => {
    let count = 0;
    const probe = encodeArguments(item, args, path, ({ width }) =>
      count++ === index ? SENTINEL ^ (2n ** BigInt(8 * width) - 1n) : SENTINEL,
    );
    return { ...slot, offset: findChange(data, probe, slot) };
  });
  return { data, places };
}

function findFunction(abi: Abi, functionName: string, args: readonly unknown[], path: string): AbiFunction {
  const functions = abi.filter((item): item is AbiFunction => item.type === "function" && item.name === functionName);
  const fitting = functions.filter(({ inputs }) => inputs.length === args.length);
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only;
  if (only === undefined) {
    throw new InvalidInputError({
      field: `${path}.functionName`,
      value: functionName,
      reason: `the ABI has no function with this name and ${args.length} arguments`,
      hint: "Pass the ABI of the target, and all arguments of the function.",
    });
  }
  // viem uses the last matching overload, and a number matches integers of every size.
  const [first = only, second] = fitting.filter((item) => isEncodable(item, args));
  if (second === undefined) return first;
  throw new InvalidInputError({
    field: `${path}.functionName`,
    value: functionName,
    reason: "the arguments match several functions with this name",
    hint: "Pass an ABI with only the intended overload.",
  });
}

function isEncodable(item: AbiFunction, args: readonly unknown[]): boolean {
  try {
    encodeFunctionData({ abi: [item], functionName: item.name, args });
    return true;
  } catch {
    return false;
  }
}

function encodeArguments(
  item: AbiFunction,
  args: readonly unknown[],
  path: string,
  place: (slot: AmountSlot) => bigint,
): Hex {
  const filled = replacePlaceholders(item.inputs, args, `${path}.args`, place);
  try {
    return lowerCase(encodeFunctionData({ abi: [item], functionName: item.name, args: filled }));
  } catch (cause) {
    throw new InvalidInputError({
      field: `${path}.args`,
      value: `${args.length} arguments`,
      reason: cause instanceof BaseError ? cause.shortMessage : `they do not match ${item.name}`,
      hint: "Pass arguments with the types and the order of the ABI.",
      cause,
    });
  }
}

/** Requires that the difference is one field with the slot's width. */
function findChange(data: Hex, probe: Hex, { path, width }: AmountSlot): number {
  const before = hexToBytes(data);
  const after = hexToBytes(probe);
  const changed = [...before.keys()].filter((index) => before[index] !== after[index]);
  const [offset] = changed;
  const isOnePlace = changed.length === width && changed.every((at, index) => at - index === offset);
  if (offset !== undefined && before.length === after.length && isOnePlace) return offset;
  throw new InvalidStateError({
    message: `the encoding of ${path} changed ${changed.length} bytes instead of ${width}`,
    hint: "Report this error with the function's ABI.",
  });
}

function requireNoStraySentinel({ data, places }: LiveCall, field: string): void {
  const known = new Set(places.map(({ offset, width }) => offset + width - SENTINEL_BYTES.size));
  for (let at = data.indexOf(SENTINEL_BYTES.hex, 2); at !== -1; at = data.indexOf(SENTINEL_BYTES.hex, at + 1)) {
    const isWhole = at % 2 === 0;
    const offset = (at - 2) / 2;
    if (!isWhole || known.has(offset)) continue;
    throw new InvalidInputError({
      field,
      value: `0x${SENTINEL_BYTES.hex} at byte ${offset}`,
      reason: "these eight bytes mark live amounts, but there is no live amount here",
      hint: "Use live, returned or packed instead of an amount.",
    });
  }
}

function lowerCase(data: Hex): Hex {
  return data.toLowerCase() as Hex;
}
