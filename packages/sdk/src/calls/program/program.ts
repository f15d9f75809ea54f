import type { Abi, Address, Hex } from "viem";

import type { LiveAmount, PackedBytes, Placeholder, ProgramAmount } from "./placeholder.ts";

/** The remainder goes to the recipient. */
export interface ProgramToken {
  /** "native" or the zero address for native currency. */
  readonly token: Address | "native";
  /**
   * Minimum that must be pulled or pushed, smallest unit; 1 by default. The program reverts below it, whatever its
   * policy. Zero for a token that only the steps bring.
   */
  readonly minimumIn?: bigint;
  /** True to leave one unit with the executor for cheaper storage: yours, unless it held one before. */
  readonly keepUnit?: boolean;
}

/** A required gain of the recipient. */
export interface ProgramCheck {
  /** "native" or the zero address for native currency. It need not be among the program's tokens. */
  readonly token: Address | "native";
  /** Smallest unit. */
  readonly minimumOut: bigint;
}

/** Behavior when a step fails. A missing input, a malformed program and a lack of gas revert in any case. */
export type ProgramPolicy =
  | { readonly kind: "revert" }
  | {
      readonly kind: "fallBack";
      /** Receives all funds after the steps are reverted. */
      readonly recipient: Address;
      /**
       * Maximum measured gas of the steps: the executor itself adds about a sixth (512/441) for nested calls. A call
       * with less is rejected before the first step.
       */
      readonly stepsGas: number;
      /** Gas reserved to pay the fallback recipient. */
      readonly reserveGas: number;
    };

export interface StepParts {
  readonly target: Address;
  /** Value in wei, or a live share of native currency; none by default. */
  readonly value?: LiveAmount | bigint;
  /** Approved amounts that are not arguments. */
  readonly approvals?: readonly LiveAmount[];
}

/** Arguments are values, or placeholders for live amounts at any depth. */
export interface FunctionStep extends StepParts {
  readonly abi: Abi;
  readonly functionName: string;
  readonly args?: readonly unknown[];
}

/** Finished call data; "0x" for none. */
export interface DataStep extends StepParts {
  readonly data: Hex | PackedBytes;
}

/** One call of a program. */
export type ProgramStep = FunctionStep | DataStep;

/** Instructions of the push executor for pushed tokens. */
export interface Program {
  /** Receives the remainder of the steps. */
  readonly recipient: Address;
  /** Unix seconds; the program reverts afterwards. None by default. */
  readonly deadline?: bigint;
  /** Revert by default. */
  readonly policy?: ProgramPolicy;
  readonly tokens: readonly ProgramToken[];
  /** None by default. */
  readonly checks?: readonly ProgramCheck[];
  readonly steps: readonly ProgramStep[];
}

/** The contracts of the chain that a program must not call, approve or pay. */
export interface ExecutorContracts {
  readonly executor: Address;
  readonly livePuller: Address;
  readonly router: Address;
}

/** Allows placeholders in place of amounts and bytes. */
export type WithAmounts<Value> = Value extends bigint
  ? ProgramAmount | Value
  : Value extends Hex
    ? PackedBytes | Value
    : Value extends Placeholder
      ? Value
      : Value extends object
        ? { readonly [Key in keyof Value]: WithAmounts<Value[Key]> }
        : Value;
