import type { AbiParameter } from "viem";

import { InvalidInputError } from "@crosscall/protocol/core";
import { fillBytes } from "./fillBytes.ts";
import { isPlaceholder, type PatchWidth, type Placeholder, type ProgramAmount } from "./placeholder.ts";

/** Path of an amount in the arguments, and its width in bytes. */
export interface AmountSlot {
  readonly amount: ProgramAmount;
  readonly path: string;
  readonly width: PatchWidth;
}

/** Replaces placeholders with numbers from `place`, in a fixed order. */
export function replacePlaceholders(
  inputs: readonly AbiParameter[],
  args: readonly unknown[],
  path: string,
  place: (slot: AmountSlot) => bigint,
): readonly unknown[] {
  return args.map((value, index) => {
    const input = inputs[index];
    return input === undefined ? value : replace(input, value, `${path}[${index}]`, place);
  });
}

/** Replaces placeholders in values of any type. */
export function fillUntyped(value: unknown, place: () => bigint): unknown {
  if (isPlaceholder(value)) return "bytes" in value ? fillBytes(value.bytes, value.fields, place) : place();
  if (Array.isArray(value)) return value.map((part) => fillUntyped(part, place));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fillUntyped(part, place)]));
}

function replace(parameter: AbiParameter, value: unknown, path: string, place: (slot: AmountSlot) => bigint): unknown {
  const { type } = parameter;
  if (isPlaceholder(value)) return replaceOne(type, value, path, place);
  const element = /^(.*)\[\d*\]$/u.exec(type)?.[1];
  if (element !== undefined) {
    if (!Array.isArray(value)) return value;
    return value.map((part, index) => replace({ ...parameter, type: element }, part, `${path}[${index}]`, place));
  }
  if (type !== "tuple" || typeof value !== "object" || value === null) return value;
  const components = componentsOf(parameter);
  if (Array.isArray(value)) return replacePlaceholders(components, value, path, place);
  const named = value as Readonly<Record<string, unknown>>;
  const entries = components.map((component) => {
    const name = component.name ?? "";
    return [name, replace(component, named[name], `${path}.${name}`, place)] as const;
  });
  return { ...named, ...Object.fromEntries(entries) };
}

function replaceOne(type: string, value: Placeholder, path: string, place: (slot: AmountSlot) => bigint): unknown {
  if ("bytes" in value) {
    if (/^bytes\d*$/u.test(type)) {
      const slots = value.fields.map((field, index) => ({ ...field, path: `${path}.fields[${index}]` }));
      return fillBytes(value.bytes, slots, place);
    }
    throw new InvalidInputError({
      field: path,
      value: type,
      reason: "packed can only replace bytes",
      hint: "Use live or returned instead of a number.",
    });
  }
  const width = widthOf(type);
  if (width !== undefined) return place({ amount: value, width, path });
  throw new InvalidInputError({
    field: path,
    value: type,
    reason: "the executor writes at least 128 bits, which do not fit in this type",
    hint: "Call a function with an amount of uint128 or wider.",
  });
}

/** Returns the widest patch that always fits the unsigned type. */
function widthOf(type: string): PatchWidth | undefined {
  const match = /^(u?)int(\d+)$/u.exec(type);
  if (match === null) return undefined;
  const bits = Number(match[2]) - (match[1] === "u" ? 0 : 1);
  return ([32, 20, 16] as const).find((width) => 8 * width <= bits);
}

function componentsOf(parameter: AbiParameter): readonly AbiParameter[] {
  return "components" in parameter ? parameter.components : [];
}
