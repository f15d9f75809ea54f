import type { Hex } from "viem";

import type { DecodedProgram } from "../program/decodedProgram.ts";

export interface DecodedArgument {
  /** `""` for an unnamed argument. */
  readonly name: string;
  /** Solidity type. */
  readonly type: string;
  /** Value as decoded by viem: integers above 48 bits as bigint, structs as objects. */
  readonly value: unknown;
}

interface CallParts {
  /** Target of the call, in the caller's notation. */
  readonly to: string;
  /** Value in wei, in the caller's notation; "all" for the router's whole balance. */
  readonly value: string;
  /** As given. Commands of the universal router have the selector of a function with their name. */
  readonly data: string;
  /** Whether the router itself makes the call. */
  readonly isByRouter: boolean;
  /** Whether the fill continues if the call fails. */
  readonly mayFail: boolean;
}

/** Call to a function with a known ABI. */
export interface DecodedFunctionCall extends CallParts {
  readonly kind: "function";
  /** The protocol; `undefined` for functions of the caller's ABIs. */
  readonly family: string | undefined;
  readonly name: string;
  /** Name and types, whose hash determines the selector: `approve(address,uint256)`. */
  readonly signature: string;
  readonly args: readonly DecodedArgument[];
  /** Tokens of amounts, by the path of the amount in the arguments; zero address for native currency. */
  readonly amounts: Readonly<Record<string, string>>;
  /** Bytes after the arguments: "0x" for none, `undefined` for a non-canonical encoding. */
  readonly tail: Hex | undefined;
  /** Inner calls. */
  readonly calls: readonly DecodedCall[];
  /** The program, for calls of the push executor. */
  readonly program: DecodedProgram | undefined;
}

/** Call to a function without a known ABI. */
export interface UnknownCall extends CallParts {
  readonly kind: "unknown";
  /** The first four bytes, or fewer if the data is shorter. */
  readonly selector: Hex;
  /** Data after the selector in 32-byte words; the last word can be shorter. */
  readonly words: readonly Hex[];
  /** The function with this selector, if the data does not match its parameters. */
  readonly expected: string | undefined;
}

/** Call without data: a native transfer. */
export interface EmptyCall extends CallParts {
  readonly kind: "empty";
}

export interface MalformedCall extends CallParts {
  readonly kind: "malformed";
  readonly reason: string;
}

/** An entry of `txs` or an inner call, decoded as far as possible. */
export type DecodedCall = DecodedFunctionCall | UnknownCall | EmptyCall | MalformedCall;

/** Calls with their inner calls, in order. */
export function flattenCalls(calls: readonly DecodedCall[]): DecodedCall[] {
  return calls.flatMap((call) => (call.kind === "function" ? [call, ...flattenCalls(call.calls)] : [call]));
}
