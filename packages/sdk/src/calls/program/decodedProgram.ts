import type { Address, Hex } from "viem";

import type { PatchWidth } from "./placeholder.ts";
import type { ProgramPolicy } from "./program.ts";

export interface DecodedToken {
  /** Address of the token; the zero address for native currency. */
  readonly token: Address;
  /** Smallest unit. */
  readonly minimumIn: bigint;
  readonly keepUnit: boolean;
}

export interface DecodedCheck {
  /** Address of the token; the zero address for native currency. */
  readonly token: Address;
  /** Smallest unit. */
  readonly minimumOut: bigint;
}

/** Draw; `token` is an index in the program's tokens. */
export type DecodedDraw =
  | { readonly kind: "balance" | "forTarget" | "value"; readonly token: number; readonly shareBps: number }
  | { readonly kind: "forSpender"; readonly token: number; readonly shareBps: number; readonly spender: Address }
  | { readonly kind: "returned"; readonly word: number; readonly shareBps: number }
  | { readonly kind: "fixedValue"; readonly value: bigint };

export interface DecodedPatch {
  /** Index in the step's draws. */
  readonly draw: number;
  readonly offset: number;
  readonly width: PatchWidth;
}

export interface DecodedStep {
  readonly target: Address;
  readonly draws: readonly DecodedDraw[];
  readonly patches: readonly DecodedPatch[];
  /** Call data with the sentinel in place of patched amounts. */
  readonly data: Hex;
}

/** A decoded program. */
export interface DecodedProgram {
  /** Deadline in Unix seconds; 2^40 - 1 for none. */
  readonly deadline: bigint;
  readonly policy: ProgramPolicy;
  readonly recipient: Address;
  readonly tokens: readonly DecodedToken[];
  readonly checks: readonly DecodedCheck[];
  readonly steps: readonly DecodedStep[];
}
