import type { Abi, Address, Hex } from "viem";

import type { KnownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import type { LiveAmount, PackedBytes, Placeholder, ProgramAmount } from "./placeholder.ts";

/** Token of a program. The remainder goes to the recipient. */
export interface ProgramToken {
  /** "native" or the zero address for native currency. */
  readonly token: Address | "native";
  /**
   * Minimum amount to pull or push, in the smallest unit. Defaults to 1. Below it, the program reverts under any
   * policy. Zero for a token that only the steps return.
   */
  readonly minimumIn?: bigint;
  /** Whether to leave one unit with the executor for cheaper storage, unless the executor already has a unit. */
  readonly keepUnit?: boolean;
}

export const TOKEN_OPTIONS = { token: 1, minimumIn: 1, keepUnit: 1 } satisfies KnownOptions<ProgramToken>;

/** Minimum gain of the recipient. */
export interface ProgramCheck {
  /** "native" or the zero address for native currency. The program does not have to declare this token. */
  readonly token: Address | "native";
  /** Smallest unit. */
  readonly minimumOut: bigint;
}

export const CHECK_OPTIONS = { token: 1, minimumOut: 1 } satisfies KnownOptions<ProgramCheck>;

/** Behavior when a step fails. A missing input, a malformed program and a lack of gas revert under any policy. */
export type ProgramPolicy =
  | { readonly kind: "revert" }
  | {
      readonly kind: "fallBack";
      /** Recipient of all funds if the steps are reverted. */
      readonly recipient: Address;
      /**
       * Maximum measured gas of the steps. The executor adds about a sixth (512/441) for nested calls, and rejects a
       * call with less gas before the first step.
       */
      readonly stepsGas: number;
      /** Gas reserved to pay the fallback recipient. */
      readonly reserveGas: number;
    };

export interface StepParts {
  readonly target: Address;
  /** Value in wei, or a live share of native currency. Defaults to none. */
  readonly value?: LiveAmount | bigint;
  /** Approved amounts that are not in the arguments. */
  readonly approvals?: readonly LiveAmount[];
}

/** Arguments are values, or placeholders for live amounts at any depth. */
export interface FunctionStep extends StepParts {
  readonly abi: Abi;
  readonly functionName: string;
  readonly args?: readonly unknown[];
}

export const FUNCTION_STEP_OPTIONS = {
  target: 1,
  value: 1,
  approvals: 1,
  abi: 1,
  functionName: 1,
  args: 1,
} satisfies KnownOptions<FunctionStep>;

/** Complete call data; "0x" for none. */
export interface DataStep extends StepParts {
  readonly data: Hex | PackedBytes;
}

/** One call of a program. */
export type ProgramStep = FunctionStep | DataStep;

/** Program for the push executor. */
export interface Program {
  /** Recipient of the funds that remain after the steps. */
  readonly recipient: Address;
  /** Deadline in Unix seconds, after which the program reverts. Defaults to none. */
  readonly deadline?: bigint;
  /** Revert by default. */
  readonly policy?: ProgramPolicy;
  readonly tokens: readonly ProgramToken[];
  /** None by default. */
  readonly checks?: readonly ProgramCheck[];
  readonly steps: readonly ProgramStep[];
}

/** Contracts on the chain that a program must not call, approve or pay. */
export interface ExecutorContracts {
  readonly executor: Address;
  readonly livePuller: Address;
  readonly router: Address;
}

/** Type of a value with placeholders allowed instead of amounts and bytes. */
export type WithAmounts<Value> = Value extends bigint
  ? ProgramAmount | Value
  : Value extends Hex
    ? PackedBytes | Value
    : Value extends Placeholder
      ? Value
      : Value extends object
        ? { readonly [Key in keyof Value]: WithAmounts<Value[Key]> }
        : Value;
