import { type Abi, type AbiFunction, type AbiParameter, parseAbi } from "viem";

import { InvalidInputError } from "@crosscall/protocol/core";
import { live } from "@crosscall/sdk/calls";
import { isPlaceholder } from "@crosscall/sdk/kit";

/** Reads a list of signatures (`function mint(address to) payable`) or a JSON ABI. */
export function readAbi(value: unknown, path: string): Abi {
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item === "object" && item !== null && "type" in item)) return value as Abi;
    if (value.every((item) => typeof item === "string")) {
      try {
        const abi: Abi = parseAbi(value);
        return abi;
      } catch (cause) {
        throw refuse(path, value, "it has an invalid signature", cause);
      }
    }
  }
  throw refuse(path, value, "it is neither a list of signatures nor a JSON ABI");
}

/**
 * Converts JSON values to viem's values: whole numbers from decimal strings, live amounts from `{ "live": token,
 * "shareBps": 5000, "approve": "target" }`. Keeps values from modules.
 */
export function reviveArguments(
  abi: Abi,
  functionName: string,
  args: readonly unknown[],
  path: string,
): readonly unknown[] {
  const named = abi.filter((item): item is AbiFunction => item.type === "function" && item.name === functionName);
  const item = named.find(({ inputs }) => inputs.length === args.length);
  if (item === undefined) {
    throw new InvalidInputError({
      field: `${path}.functionName`,
      value: functionName,
      reason:
        named.length === 0
          ? "the ABI does not have this function"
          : `the ABI has no overload with ${args.length} arguments`,
      hint: "Pass a function of the ABI and one argument for each of its parameters.",
    });
  }
  return item.inputs.map((input, index) => revive(input, args[index], `${path}.args[${index}]`));
}

/** Converts an amount from JSON. Keeps other values, so that the builders reject them. */
export function reviveAmount(value: unknown, path: string): unknown {
  if (isPlaceholder(value)) return value;
  if (isLiveRecord(value)) {
    const { live: token, ...options } = value;
    try {
      return live(token, options);
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      const { reason, hint, field } = error;
      throw new InvalidInputError({ field: `${path}.${field === "token" ? "live" : field}`, value, reason, hint });
    }
  }
  return typeof value === "string" && /^-?\d{1,78}$/u.test(value) ? BigInt(value) : value;
}

function revive(input: AbiParameter, value: unknown, path: string): unknown {
  if (isPlaceholder(value)) return value;
  if (isLiveRecord(value)) return reviveAmount(value, path);
  const list = /^(.*)\[\d*\]$/u.exec(input.type);
  if (list !== null) {
    const item = { ...input, type: list[1] ?? "" };
    return Array.isArray(value) ? value.map((one, index) => revive(item, one, `${path}[${index}]`)) : value;
  }
  if (input.type === "tuple" && "components" in input) return reviveTuple(input.components, value, path);
  const bits = /^u?int(\d*)$/u.exec(input.type)?.[1];
  if (bits === undefined) return value;
  const number = reviveAmount(value, path);
  // viem takes small integers as numbers.
  return typeof number === "bigint" && bits !== "" && Number(bits) <= 48 ? Number(number) : number;
}

function reviveTuple(components: readonly AbiParameter[], value: unknown, path: string): unknown {
  if (Array.isArray(value)) {
    return value.map((one, index) => {
      const component = components[index];
      return component === undefined ? (one as unknown) : revive(component, one, `${path}[${index}]`);
    });
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const component = components.find((each) => each.name === name);
      return [name, component === undefined ? (one as unknown) : revive(component, one, `${path}.${name}`)];
    }),
  );
}

/** In files. */
interface LiveRecord {
  readonly live: `0x${string}` | "native";
  readonly shareBps?: number;
  readonly approve?: `0x${string}` | "target";
}

function isLiveRecord(value: unknown): value is LiveRecord {
  return typeof value === "object" && value !== null && "live" in value;
}

function refuse(field: string, value: unknown, reason: string, cause?: unknown): InvalidInputError {
  return new InvalidInputError({
    field,
    value,
    reason,
    hint: 'Give signatures such as "function mint(address to) payable", or the array of a JSON ABI.',
    cause,
  });
}
