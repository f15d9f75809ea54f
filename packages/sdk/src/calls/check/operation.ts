import { isEvmNative } from "@crosscall/protocol/chains";
import type { DecodedCall } from "../decode/decodedCall.ts";
import { knownOf } from "../decode/knownFunctions.ts";

/** Minimum amount that means unlimited: no token has as many units. */
const UNLIMITED = 2n ** 128n;

export function isUnlimited(amount: CheckedAmount): boolean {
  return amount !== "balance" && amount >= UNLIMITED;
}

/** `"balance"`: the router's whole balance, known only during the fill. */
export type CheckedAmount = bigint | "balance";

interface At {
  /** Index in `txs`. */
  readonly index: number;
  /** Whether the call can fail without failing the fill, so that it does nothing. */
  readonly mayFail?: true;
}

export interface CallOperation extends At {
  readonly kind: "call";
  readonly call: DecodedCall;
  readonly isSelf: boolean;
}

export interface ApproveOperation extends At {
  readonly kind: "approve";
  readonly token: string;
  readonly spender: string;
  readonly amount: CheckedAmount;
  /** Whether the call increases the allowance. */
  readonly isAdded: boolean;
  readonly isViaCall: boolean;
}

export interface TakeOperation extends At {
  readonly kind: "take";
  readonly spender: string;
  /** `undefined` if the call does not contain the token. */
  readonly token: string | undefined;
  /** `undefined` if the call does not contain the amount. */
  readonly amount: CheckedAmount | undefined;
  /** Whether the spender can take less. */
  readonly isMaximum: boolean;
  /** Account that needs an allowance in Permit2, which then is the spender. */
  readonly through?: string;
  /** Account for which the spender takes nothing if an earlier call transfers the token to it. */
  readonly prepaidTo?: string | undefined;
}

/** Change of the router's allowance in Permit2. */
export interface Permit2ApproveOperation extends At {
  readonly kind: "permit2Approve";
  readonly token: string;
  readonly spender: string;
  readonly amount: bigint;
  /** Unix seconds; 0 for the block of the fill; `undefined` if unchanged. */
  readonly expiration: bigint | undefined;
}

/**
 * Payment to a contract that keeps native currency instead of a token: wrapped native currency, or a pool's native
 * coin.
 */
export interface PayOperation extends At {
  readonly kind: "pay";
  readonly family: string | undefined;
  readonly spender: string;
  readonly amount: bigint;
  /** Whether the contract can keep less. */
  readonly isMaximum: boolean;
}

export interface SendOperation extends At {
  readonly kind: "send";
  /** Address of the token; the zero address for native currency. */
  readonly token: string;
  readonly to: string;
  readonly amount: CheckedAmount;
  readonly isSweep: boolean;
}

export interface GainOperation extends At {
  readonly kind: "gain";
  /** Address of the token; the zero address for native currency; `undefined` if the call does not contain it. */
  readonly token: string | undefined;
  /** `undefined` if the call does not contain the amount. */
  readonly amount: bigint | undefined;
  readonly isPerhapsNative: boolean;
  readonly signature: string;
  readonly hint: string;
}

/** Operation of the router, in fill order. */
export type Operation =
  | CallOperation
  | ApproveOperation
  | Permit2ApproveOperation
  | TakeOperation
  | PayOperation
  | SendOperation
  | GainOperation;

/** Whether a call's effects on tokens are unknown. */
export function isOpaque(call: DecodedCall): boolean {
  if (call.kind !== "function") return call.kind === "unknown";
  const { creditsCaller, isOpaque: isDeclared } = knownOf(call)?.known ?? {};
  return creditsCaller === true || isDeclared === true;
}

export function nameToken(token: string): string {
  if (token === "@nft") return "an NFT";
  return isEvmNative(token) ? "native currency" : token;
}
