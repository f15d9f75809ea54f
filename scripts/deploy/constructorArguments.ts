import { type AbiParameter, type Address, type Hex, isHex, size } from "viem";

import type { Artifact } from "../../src/artifacts.ts";
import { parseEvmAddress } from "@crosscall/sdk/internal/chains/address";
import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";

/** Addresses, bytes and numbers are strings. */
export type ArgumentText = string | boolean | readonly ArgumentText[];

export interface ConstructorArguments {
  /** In the constructor's order, for encoding. */
  readonly values: readonly unknown[];
  /** By name, for the record. */
  readonly texts: Readonly<Record<string, ArgumentText>>;
}

export interface ParseArgumentsParameters {
  readonly artifact: Artifact;
  readonly given: Readonly<Record<string, unknown>>;
  readonly defaults: Readonly<Record<string, string | boolean>>;
  /** Path of `given`, for errors: `contracts[0].arguments`. */
  readonly at: string;
  /** Resolves the name of another contract of the same deployment. */
  readonly addressOf: (name: string, field: string) => Address;
}

export function parseArguments(parameters: ParseArgumentsParameters): ConstructorArguments {
  const { artifact, given, defaults, at, addressOf } = parameters;
  const inputs = constructorInputs(artifact);
  const names = inputs.map(nameOfInput);
  for (const [name, value] of Object.entries(given)) {
    if (names.includes(name)) continue;
    throw new InvalidInputError({
      field: `${at}.${name}`,
      value,
      reason: `the constructor of ${artifact.contractName} does not have this argument`,
      hint: names.length === 0 ? "Leave it out." : `Use its arguments: ${names.join(", ")}.`,
    });
  }
  const values = inputs.map((input) => {
    const name = nameOfInput(input);
    return parseValue(input, given[name] ?? defaults[name], `${at}.${name}`, addressOf);
  });
  return { values, texts: Object.fromEntries(names.map((name, index) => [name, toText(values[index])])) };
}

function constructorInputs({ abi }: Artifact): readonly AbiParameter[] {
  return abi.find((item) => item.type === "constructor")?.inputs ?? [];
}

/** A trailing underscore keeps parameters from shadowing variables. */
function nameOfInput({ name = "" }: AbiParameter): string {
  return name.replace(/_$/u, "");
}

function parseValue(
  input: AbiParameter,
  value: unknown,
  field: string,
  addressOf: ParseArgumentsParameters["addressOf"],
): unknown {
  const { type } = input;
  const array = /^(.*)\[(\d*)\]$/u.exec(type);
  if (array !== null) {
    const [, itemType = "", length = ""] = array;
    if (!Array.isArray(value) || (length !== "" && value.length !== Number(length))) {
      throw refuse(field, value, length === "" ? "it is not a list" : `it is not a list of ${length}`, type);
    }
    return value.map((item, index) => parseValue({ ...input, type: itemType }, item, `${field}[${index}]`, addressOf));
  }
  if (type === "address") return parseAddress(value, field, addressOf);
  if (type === "bool") {
    if (typeof value === "boolean") return value;
    throw refuse(field, value, "it is neither true nor false", type);
  }
  if (type.startsWith("uint")) return parseUint(value, field, type);
  if (type.startsWith("bytes")) return parseBytes(value, field, type);
  if (type === "string" && typeof value === "string") return value;
  throw refuse(field, value, `it is not a valid ${type}`, type);
}

function parseAddress(value: unknown, field: string, addressOf: ParseArgumentsParameters["addressOf"]): Address {
  // Names never begin with a digit, addresses always do.
  if (typeof value === "string" && /^[A-Za-z]/u.test(value)) return addressOf(value, field);
  return parseEvmAddress(value, field);
}

function parseUint(value: unknown, field: string, type: string): bigint {
  const bits = BigInt(type.slice("uint".length));
  const text = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text === "string" && /^\d{1,78}$/u.test(text) && BigInt(text) < 2n ** bits) return BigInt(text);
  throw refuse(field, value, `it is not a whole number from 0 to 2^${bits} - 1`, type);
}

function parseBytes(value: unknown, field: string, type: string): Hex {
  const length = type === "bytes" ? undefined : Number(type.slice("bytes".length));
  const isWhole = isHex(value) && value.length % 2 === 0;
  if (isWhole && (length === undefined || size(value) === length)) return value.toLowerCase() as Hex;
  throw refuse(
    field,
    value,
    length === undefined ? "it is not whole bytes as hex" : `it is not ${length} bytes as hex`,
    type,
  );
}

function refuse(field: string, value: unknown, reason: string, type: string): InvalidInputError {
  return new InvalidInputError({ field, value, reason, hint: `Pass ${field} as the constructor's ${type}.` });
}

function toText(value: unknown): ArgumentText {
  if (Array.isArray(value)) return value.map(toText);
  return typeof value === "boolean" ? value : String(value);
}
