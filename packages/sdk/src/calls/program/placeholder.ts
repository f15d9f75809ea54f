import type { Address, Hex } from "viem";
import { InvalidInputError } from "@crosscall/protocol/core";
import { BPS_PER_WHOLE } from "@crosscall/protocol/encoding";

/** Symbol of a placeholder, so that no argument is mistaken for a placeholder. */
export const placeholder: unique symbol = Symbol.for("crosscall.placeholder");

/** Width of an amount in call data, in bytes: a word, or its low 20 or 16 bytes. */
export type PatchWidth = 16 | 20 | 32;

/** Share of the executor's balance of a token when the step runs. Created by `live`. */
export interface LiveAmount {
  readonly [placeholder]: "live";
  /** Address of the token; the zero address for native currency. */
  readonly token: Address;
  readonly shareBps: number;
  /** Account to approve: the step's target, or another spender. */
  readonly approve?: Address | "target";
}

/** Share of a word that the previous step returned. Created by `returned`. */
export interface ReturnedAmount {
  readonly [placeholder]: "returned";
  /** From zero. */
  readonly word: number;
  readonly shareBps: number;
}

/** Amount that is known only when the program runs. */
export type ProgramAmount = LiveAmount | ReturnedAmount;

/** Place of an amount in bytes without an ABI. */
export interface AmountField {
  readonly offset: number;
  readonly width: PatchWidth;
  readonly amount: ProgramAmount;
}

/** Bytes with places for amounts. Created by `packed`. */
export interface PackedBytes {
  readonly [placeholder]: "packed";
  readonly bytes: Hex;
  readonly fields: readonly AmountField[];
}

export type Placeholder = ProgramAmount | PackedBytes;

export function isPlaceholder(value: unknown): value is Placeholder {
  return typeof value === "object" && value !== null && placeholder in value;
}

export function requireShare(shareBps: number, field: string): number {
  if (Number.isInteger(shareBps) && shareBps > 0 && shareBps <= Number(BPS_PER_WHOLE)) return shareBps;
  throw new InvalidInputError({
    field,
    value: shareBps,
    reason: `a share must be an integer of bps from 1 to ${BPS_PER_WHOLE}`,
    hint: `Pass ${field} in bps: 10,000 is all.`,
  });
}
