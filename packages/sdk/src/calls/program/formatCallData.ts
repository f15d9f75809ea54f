import {
  type Abi,
  type AbiFunction,
  type AbiParameter,
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  maxUint256,
  numberToHex,
  size,
  slice,
  toFunctionSelector,
} from "viem";

import type { DecodedStep } from "./decodedProgram.ts";
import { fillBytes } from "./fillBytes.ts";
import { SENTINEL } from "./layout.ts";

/** State of one formatting: formats values, and records the amounts that it printed. */
interface Printer {
  readonly step: DecodedStep;
  readonly amounts: readonly string[];
  readonly nameOf: (account: Address) => string;
  readonly printed: number[];
}

/** Formats a function and its arguments, with live amounts as text. */
export function formatCallData(
  step: DecodedStep,
  amounts: readonly string[],
  abis: readonly Abi[],
  nameOf: (account: Address) => string,
): string {
  const functions = abis.flatMap((abi) => abi.filter((item): item is AbiFunction => item.type === "function"));
  const selector = size(step.data) < 4 ? undefined : slice(step.data, 0, 4);
  for (const item of functions) {
    if (toFunctionSelector(item) !== selector) continue;
    const text = formatFunction(item, { step, amounts, nameOf, printed: [] });
    if (text !== undefined) return text;
  }
  return formatBytes(step, amounts);
}

/** Returns undefined if the arguments do not explain all data and amounts. */
function formatFunction(item: AbiFunction, printer: Printer): string | undefined {
  const data = markAmounts(printer.step);
  try {
    const { args = [] } = decodeFunctionData<Abi>({ abi: [item], data });
    // Otherwise, the output would hide bytes that decoding skips.
    if (encodeFunctionData({ abi: [item], functionName: item.name, args }) !== data) return undefined;
    const text = item.inputs.map((input, index) => formatValue(input, args[index], printer)).join(", ");
    // A number that equals an amount's mark would be printed as that amount.
    const isExact = String(printer.printed.toSorted((a, b) => a - b)) === String([...printer.step.patches.keys()]);
    return isExact ? `${item.name}(${text})` : undefined;
  } catch {
    return undefined;
  }
}

function formatValue(parameter: AbiParameter, value: unknown, printer: Printer): string {
  const { type } = parameter;
  if (Array.isArray(value) && type.endsWith("]")) {
    const element = { ...parameter, type: type.slice(0, type.lastIndexOf("[")) };
    return `[${value.map((part) => formatValue(element, part, printer)).join(", ")}]`;
  }
  if (type === "tuple" && "components" in parameter && typeof value === "object" && value !== null) {
    const members = parameter.components.map((component, index) => {
      const name = component.name ?? "";
      const key = Array.isArray(value) ? index : name;
      const text = formatValue(component, (value as Readonly<Record<string | number, unknown>>)[key], printer);
      return name === "" ? text : `${name}: ${text}`;
    });
    return `{${members.join(", ")}}`;
  }
  if (type === "address") return printer.nameOf(value as Address);
  if (typeof value === "bigint") return formatNumber(value, printer);
  if (type.startsWith("bytes")) return formatMarkedBytes(value as Hex, printer);
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

function formatNumber(value: bigint, printer: Printer): string {
  const index = printer.step.patches.findIndex((_, number) => markOf(number) === value);
  if (index !== -1) return printAmount(index, printer);
  return value === maxUint256 ? "the maximum" : String(value);
}

function formatMarkedBytes(value: Hex, printer: Printer): string {
  return printer.step.patches.reduce<string>((text, { width }, index) => {
    const mark = numberToHex(markOf(index), { size: width }).slice(2);
    return text.replaceAll(mark, () => `{${printAmount(index, printer)}}`);
  }, value);
}

function printAmount(index: number, { step, amounts, printed }: Printer): string {
  printed.push(index);
  return amounts[step.patches[index]?.draw ?? -1] ?? "";
}

/** Replaces patched amounts with distinct numbers, to identify the amounts in decoded values. */
function markAmounts({ data, patches }: DecodedStep): Hex {
  return fillBytes(data, patches, (_, index) => markOf(index));
}

/** Returns a number that fits in the narrowest patch. */
function markOf(index: number): bigint {
  return (SENTINEL << 32n) | BigInt(index);
}

function formatBytes({ data, patches }: DecodedStep, amounts: readonly string[]): string {
  const places = patches.map(
    ({ draw, offset, width }) => `bytes ${offset} to ${offset + width}: ${amounts[draw] ?? ""}`,
  );
  return places.length === 0 ? data : `${data} {${places.join(", ")}}`;
}
