import type { Hex } from "viem";

import type { DecodedProgram } from "../program/decodedProgram.ts";

/** An argument of a call. */
export interface DecodedArgument {
  /** `""` where its ABI gives no name. */
  readonly name: string;
  /** Its Solidity type. */
  readonly type: string;
  /** As viem decodes it: numbers of more than 48 bits as bigint, structs as objects. */
  readonly value: unknown;
}

interface CallParts {
  /** Whom it calls, as given. */
  readonly to: string;
  /** Wei, as given; "all" for the full balance of the router. */
  readonly value: string;
  /** As given. */
  readonly data: string;
  /** Whether the router is who makes it, and not some contract on the way. */
  readonly isByRouter: boolean;
}

/** A call of a function that an ABI explains. */
export interface DecodedFunctionCall extends CallParts {
  readonly kind: "function";
  /** The protocol, `undefined` for a function of the caller's own ABIs. */
  readonly family: string | undefined;
  readonly name: string;
  /** Name and types, whose hash gives the selector: `approve(address,uint256)`. */
  readonly signature: string;
  readonly args: readonly DecodedArgument[];
  /** Of which token amounts are, by the path of each among the arguments; the zero address is native. */
  readonly amounts: Readonly<Record<string, string>>;
  /** Bytes that no argument explains: "0x" for none, `undefined` where the data is no plain encoding of the arguments. */
  readonly tail: Hex | undefined;
  /** The calls that it makes in turn. */
  readonly calls: readonly DecodedCall[];
  /** The program that it runs, if it is one of the push executor. */
  readonly program: DecodedProgram | undefined;
}

/** A call of a function that no ABI explains. */
export interface UnknownCall extends CallParts {
  readonly kind: "unknown";
  /** The first four bytes, less where there are fewer. */
  readonly selector: Hex;
  /** What stands behind the selector, in 32 bytes each; the last may be shorter. */
  readonly words: readonly Hex[];
  /** The function that the selector is of, where the data does not fit its parameters. */
  readonly expected: string | undefined;
}

/** A call without data: a transfer of native currency. */
export interface EmptyCall extends CallParts {
  readonly kind: "empty";
}

/** A call whose data is no bytes at all. */
export interface MalformedCall extends CallParts {
  readonly kind: "malformed";
  readonly reason: string;
}

/** An entry of `txs` or an inner call, as far as it can be decoded. */
export type DecodedCall = DecodedFunctionCall | UnknownCall | EmptyCall | MalformedCall;
