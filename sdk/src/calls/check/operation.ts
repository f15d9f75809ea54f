import type { DecodedCall } from "../decode/decodedCall.ts";

/** An amount that only the fill knows: all that the router has. */
export type CheckedAmount = bigint | "balance";

interface At {
  /** The entry of `txs` that it is part of. */
  readonly index: number;
}

/** The router makes a call. */
export interface CallOperation extends At {
  readonly kind: "call";
  readonly call: DecodedCall;
  /** Whether the router calls itself. */
  readonly isSelf: boolean;
}

/** The router lets somebody take a token. */
export interface ApproveOperation extends At {
  readonly kind: "approve";
  readonly token: string;
  readonly spender: string;
  readonly amount: CheckedAmount;
  /** Whether the amount comes on top of what was allowed. */
  readonly isAdded: boolean;
  /** Whether the router does it by a ViaCall. */
  readonly isViaCall: boolean;
}

/** A contract takes a token of the router by its approval. */
export interface TakeOperation extends At {
  readonly kind: "take";
  readonly spender: string;
  /** `undefined` where the call does not say. */
  readonly token: string | undefined;
  /** `undefined` where the call does not say. */
  readonly amount: CheckedAmount | undefined;
  /** Whether it may take less than the amount. */
  readonly isMaximum: boolean;
}

/** A contract keeps the native that a call brings instead of taking a token: wrapped native, or a pool's native coin. */
export interface PayOperation extends At {
  readonly kind: "pay";
  readonly family: string | undefined;
  readonly spender: string;
  readonly amount: bigint;
  /** Whether it may keep less than the amount. */
  readonly isMaximum: boolean;
}

/** The router itself sends a token, or native. */
export interface SendOperation extends At {
  readonly kind: "send";
  /** The zero address for native. */
  readonly token: string;
  readonly to: string;
  readonly amount: CheckedAmount;
  /** Whether it is one of the router's cleanups. */
  readonly isSweep: boolean;
}

/** The router gets something from a contract that it calls. */
export interface GainOperation extends At {
  readonly kind: "gain";
  /** `undefined` where the call does not say; the zero address for native. */
  readonly token: string | undefined;
  /** `undefined` where the call does not say. */
  readonly amount: bigint | undefined;
  readonly isPerhapsNative: boolean;
  readonly signature: string;
  readonly hint: string;
}

/** Something that calls do to the router's funds, in the order of the fill. */
export type Operation = CallOperation | ApproveOperation | TakeOperation | PayOperation | SendOperation | GainOperation;
