import type { Abi, Address, Hex } from "viem";

import type { LiveAmount, PackedBytes, Placeholder, ProgramAmount } from "./placeholder.ts";

/** A token that the program handles. What is left of it goes to the recipient. */
export interface ProgramToken {
  /** "native" or the zero address for native. */
  readonly token: Address | "native";
  /**
   * The least that must be pushed, smallest unit; 1 when left out. Zero for a token that is not pushed, since only the
   * steps bring it.
   */
  readonly minimumIn?: bigint;
  /** True to leave one unit with the executor, for cheaper storage: one of yours, unless it held one before. */
  readonly keepUnit?: boolean;
}

/** What the recipient must gain. */
export interface ProgramCheck {
  /** "native" or the zero address for native. It need not be among the program's tokens. */
  readonly token: Address | "native";
  /** Smallest unit. */
  readonly minimumOut: bigint;
}

/** What happens when a step fails. */
export type ProgramPolicy =
  | { readonly kind: "revert" }
  | {
      readonly kind: "fallBack";
      /** Who gets everything when the steps were undone. */
      readonly recipient: Address;
      /** The gas that the steps need at most. A call that brings less for them is refused before the first one. */
      readonly stepsGas: number;
      /** The gas that is kept back to pay the fallback recipient. */
      readonly reserveGas: number;
    };

/** What every step has. */
export interface StepParts {
  readonly target: Address;
  /** Wei, or a live share of native, sent with the call. None when left out. */
  readonly value?: LiveAmount | bigint;
  /** Amounts that somebody may take and that stand in no argument. */
  readonly approvals?: readonly LiveAmount[];
}

/** A call of a function. Its arguments hold values or stand-ins for live amounts, at any depth. */
export interface FunctionStep extends StepParts {
  readonly abi: Abi;
  readonly functionName: string;
  readonly args?: readonly unknown[];
}

/** A call with finished call data; "0x" for none. */
export interface DataStep extends StepParts {
  readonly data: Hex | PackedBytes;
}

/** One call of a program. */
export type ProgramStep = FunctionStep | DataStep;

/** What the push executor does with pushed tokens. */
export interface Program {
  /** Who gets what the steps leave. */
  readonly recipient: Address;
  /** Unix seconds; the program reverts after it. None when left out. */
  readonly deadline?: bigint;
  /** Revert when left out. */
  readonly policy?: ProgramPolicy;
  readonly tokens: readonly ProgramToken[];
  /** None when left out. */
  readonly checks?: readonly ProgramCheck[];
  readonly steps: readonly ProgramStep[];
}

/** The contracts of the chain that a program must not call, approve or pay. */
export interface ExecutorContracts {
  readonly executor: Address;
  readonly livePuller: Address;
  readonly router: Address;
}

/** A type of arguments in which stand-ins may take the place of amounts and bytes. */
export type WithAmounts<Value> = Value extends bigint
  ? ProgramAmount | Value
  : Value extends Hex
    ? PackedBytes | Value
    : Value extends Placeholder
      ? Value
      : Value extends object
        ? { readonly [Key in keyof Value]: WithAmounts<Value[Key]> }
        : Value;
