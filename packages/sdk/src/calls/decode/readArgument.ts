import { EVM_NATIVE_CURRENCY } from "@crosscall/protocol/chains";
import type { DecodedArgument } from "./decodedCall.ts";

/** Reads an argument by its path: `params.tokenIn`, `tokens.0`. */
export function readArgument(args: readonly DecodedArgument[], path: string): unknown {
  const [name, ...rest] = path.split(".");
  const start = args.find((argument) => argument.name === name)?.value;
  return rest.reduce<unknown>((value, key) => {
    if (typeof value !== "object" || value === null) return undefined;
    return (value as Readonly<Record<string, unknown>>)[key];
  }, start);
}

export function readAmount(args: readonly DecodedArgument[], path: string): bigint | undefined {
  const value = readArgument(args, path);
  return typeof value === "bigint" ? value : undefined;
}

export function readAccount(args: readonly DecodedArgument[], path: string): string | undefined {
  const value = readArgument(args, path);
  return typeof value === "string" ? value : undefined;
}

/** Returns `undefined` if the call does not contain the token. */
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
  // Packed path: a token (20 bytes), a fee (3 bytes), a token, and so on.
  if (typeof value !== "string" || value.length < 2 + 2 * 43) return undefined;
  return end === "first" ? value.slice(0, 42) : `0x${value.slice(-40)}`;
}
