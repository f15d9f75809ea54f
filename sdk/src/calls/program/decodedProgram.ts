import type { Address, Hex } from "viem";

import type { PatchWidth } from "./placeholder.ts";
import type { ProgramPolicy } from "./program.ts";

/** A token as it stands in a program. */
export interface DecodedToken {
  /** The zero address is native. */
  readonly token: Address;
  /** Smallest unit. */
  readonly minimumIn: bigint;
  readonly keepUnit: boolean;
}

/** A check as it stands in a program. */
export interface DecodedCheck {
  /** The zero address is native. */
  readonly token: Address;
  /** Smallest unit. */
  readonly minimumOut: bigint;
}

/** A live amount as it stands in a step. `token` is an index in the program's tokens. */
export type DecodedDraw =
  | { readonly kind: "balance" | "forTarget" | "value"; readonly token: number; readonly shareBps: number }
  | { readonly kind: "forSpender"; readonly token: number; readonly shareBps: number; readonly spender: Address }
  | { readonly kind: "returned"; readonly word: number; readonly shareBps: number }
  | { readonly kind: "fixedValue"; readonly value: bigint };

/** Where a draw's amount is written into the call data. */
export interface DecodedPatch {
  /** An index in the step's draws. */
  readonly draw: number;
  readonly offset: number;
  readonly width: PatchWidth;
}

/** A step as it stands in a program. */
export interface DecodedStep {
  readonly target: Address;
  readonly draws: readonly DecodedDraw[];
  readonly patches: readonly DecodedPatch[];
  /** With the sentinel where the patches write. */
  readonly data: Hex;
}

/** A decoded program. */
export interface DecodedProgram {
  /** Unix seconds; 2^40 - 1 where there is none. */
  readonly deadline: bigint;
  readonly policy: ProgramPolicy;
  readonly recipient: Address;
  readonly tokens: readonly DecodedToken[];
  readonly checks: readonly DecodedCheck[];
  readonly steps: readonly DecodedStep[];
}
