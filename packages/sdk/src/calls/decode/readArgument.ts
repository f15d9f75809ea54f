import { numberToHex } from "viem";

import { EVM_NATIVE_CURRENCY } from "@crosscall/protocol/chains";
import type { DecodedArgument } from "./decodedCall.ts";

/** Reads an argument by its path: `params.tokenIn`, `tokens.0`, or `tokens[place]` for an index in another argument. */
export function readArgument(args: readonly DecodedArgument[], path: string): unknown {
  const [, list, place] = /^(.+)\[(.+)\]$/u.exec(path) ?? [];
  if (list !== undefined && place !== undefined)
    return readArgument(args, `${list}.${String(readArgument(args, place))}`);
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

/** Reads an account. A path with `packed:` reads the low 20 bytes of a number. */
export function readAccount(args: readonly DecodedArgument[], path: string): string | undefined {
  const packed = path.startsWith("packed:");
  const value = readArgument(args, packed ? path.slice("packed:".length) : path);
  if (packed) return typeof value === "bigint" ? numberToHex(value & ADDRESS_BITS, { size: 20 }) : undefined;
  return typeof value === "string" ? value : undefined;
}

const ADDRESS_BITS = 2n ** 160n - 1n;

/** Returns the indexes of the array in a path with `*`, or one empty index for other paths. */
export function expandPath(args: readonly DecodedArgument[], path: string): string[] {
  const star = path.indexOf(".*");
  if (star === -1) return [""];
  const values = readArgument(args, path.slice(0, star));
  return Array.isArray(values) ? values.map((_, index) => String(index)) : [];
}

/** Address that 1inch, Curve and 0x use for native currency. */
const NATIVE_PLACEHOLDER = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

/** Returns `undefined` if the call does not contain the token. */
export function readToken(args: readonly DecodedArgument[], reference: string, target: string): string | undefined {
  const token = findToken(args, reference, target);
  return token?.toLowerCase() === NATIVE_PLACEHOLDER ? EVM_NATIVE_CURRENCY : token;
}

function findToken(args: readonly DecodedArgument[], reference: string, target: string): string | undefined {
  if (reference === "@target") return target;
  if (reference === "@native") return EVM_NATIVE_CURRENCY;
  if (reference === "@nft") return reference;
  const [, end, path = reference] = /^(first|last|route):(.*)$/u.exec(reference) ?? [];
  if (end === undefined) return readAccount(args, path);
  const value = readArgument(args, path);
  if (Array.isArray(value)) {
    // A route ends at the first zero address.
    const tokens: unknown[] = value
      .filter((_, place) => place % 2 === 0)
      .filter((each) => each !== EVM_NATIVE_CURRENCY);
    if (end === "route") return tokens.at(-1) as string | undefined;
    const token: unknown = value.at(end === "first" ? 0 : -1);
    return typeof token === "string" ? token : undefined;
  }
  // Packed path: a token (20 bytes), a fee (3 bytes), a token, and so on.
  if (typeof value !== "string" || value.length < 2 + 2 * 43) return undefined;
  return end === "first" ? value.slice(0, 42) : `0x${value.slice(-40)}`;
}
