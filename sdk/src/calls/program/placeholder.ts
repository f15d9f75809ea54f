import type { Address, Hex } from "viem";

/** Marks what stands for a live amount among arguments. No argument of a call carries it by chance. */
export const placeholder: unique symbol = Symbol.for("crosscall.placeholder");

/** Bytes of an amount in call data: a whole word, or its low 20 or 16 bytes. */
export type PatchWidth = 16 | 20 | 32;

/** A share of what the executor holds of a token when a step runs. Made by `live`. */
export interface LiveAmount {
  readonly [placeholder]: "live";
  /** The zero address is native. */
  readonly token: Address;
  readonly shareBps: number;
  /** Who may take it: the target of the step, or another spender. */
  readonly approve?: Address | "target";
}

/** A share of a word that the step before returned. Made by `returned`. */
export interface ReturnedAmount {
  readonly [placeholder]: "returned";
  /** Counted from zero. */
  readonly word: number;
  readonly shareBps: number;
}

/** An amount that is known only when the program runs. */
export type ProgramAmount = LiveAmount | ReturnedAmount;

/** A place for an amount in bytes that have no ABI. */
export interface AmountField {
  readonly offset: number;
  readonly width: PatchWidth;
  readonly amount: ProgramAmount;
}

/** Bytes with places for amounts. Made by `packed`. */
export interface PackedBytes {
  readonly [placeholder]: "packed";
  readonly bytes: Hex;
  readonly fields: readonly AmountField[];
}

/** What may stand for a value among arguments. */
export type Placeholder = ProgramAmount | PackedBytes;

/** Tells a placeholder from the values that arguments have. */
export function isPlaceholder(value: unknown): value is Placeholder {
  return typeof value === "object" && value !== null && placeholder in value;
}
