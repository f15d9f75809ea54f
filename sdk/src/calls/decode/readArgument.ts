import { EVM_NATIVE_CURRENCY } from "../../chains/address.ts";
import type { DecodedArgument } from "./decodedCall.ts";

/** The value at a path among arguments: `params.tokenIn`, `tokens.0`. */
export function readArgument(args: readonly DecodedArgument[], path: string): unknown {
  const [name, ...rest] = path.split(".");
  const start = args.find((argument) => argument.name === name)?.value;
  return rest.reduce<unknown>((value, key) => {
    if (typeof value !== "object" || value === null) return undefined;
    return (value as Readonly<Record<string, unknown>>)[key];
  }, start);
}

/** The amount at a path; `undefined` where there is none. */
export function readAmount(args: readonly DecodedArgument[], path: string): bigint | undefined {
  const value = readArgument(args, path);
  return typeof value === "bigint" ? value : undefined;
}

/** The account at a path; `undefined` where there is none. */
export function readAccount(args: readonly DecodedArgument[], path: string): string | undefined {
  const value = readArgument(args, path);
  return typeof value === "string" ? value : undefined;
}

/** The token that a reference of a known function means; `undefined` where the call does not say. */
export function readToken(args: readonly DecodedArgument[], reference: string, target: string): string | undefined {
  if (reference === "@target") return target;
  if (reference === "@native") return EVM_NATIVE_CURRENCY;
  if (reference === "@nft") return reference;
  const [, end, path = reference] = /^(first|last):(.*)$/u.exec(reference) ?? [];
  const value = readArgument(args, path);
  if (end === undefined) return typeof value === "string" ? value : undefined;
  if (Array.isArray(value)) {
    const token: unknown = value.at(end === "first" ? 0 : -1);
    return typeof token === "string" ? token : undefined;
  }
  // Packed: a token of 20 bytes, a fee of 3, a token, and so on.
  if (typeof value !== "string" || value.length < 2 + 2 * 43) return undefined;
  return end === "first" ? value.slice(0, 42) : `0x${value.slice(-40)}`;
}
