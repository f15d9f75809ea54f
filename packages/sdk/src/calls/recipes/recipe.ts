import type { Address } from "viem";

import type { TradeType } from "@crosscall/protocol/common";
import type { KnownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import type { LiveAmount } from "../program/placeholder.ts";
import type { ProgramStep } from "../program/program.ts";

/** Trade types of spec 2, call rule 3. */
export type CallTradeType = Extract<TradeType, "EXACT_INPUT" | "EXACT_OUTPUT">;

/**
 * Way in which a live amount reaches a protocol:
 *
 * - `proxy`: a typed proxy reads the amount.
 * - `program`: the push executor writes the amount into the call.
 * - `nativeCall`: the amount is the value of the router's call, not part of the data.
 * - `transfer`: the router sends the amount to the protocol, which uses its balance.
 */
export type LiveWay = "proxy" | "program" | "nativeCall" | "transfer";

/**
 * Way in which the input reaches the protocol: by approval (`allowance`), by a transfer before the call (`transfer`),
 * as the call's value (`value`), or by a burn, if the protocol is the token (`burn`).
 */
export type RecipeInput = "allowance" | "transfer" | "value" | "burn";

/**
 * Way in which the minimum output is enforced: by the protocol (`call`), by the proxy or the program but not in a
 * direct call (`live`), or not at all, if unnecessary or impossible (`none`).
 */
export type RecipeMinimum = "call" | "live" | "none";

/** Type of output: token balances can be measured, but positions within a protocol cannot. */
export type RecipeCredit =
  | {
      readonly kind: "token";
      /** Address of the token; the zero address for native currency. */
      readonly token: Address;
      /**
       * Recipient of the credit. If it is the caller (router or executor), the plan forwards the output to the
       * recipient.
       */
      readonly to: "recipient" | "caller";
    }
  | { readonly kind: "position"; readonly to: "recipient" };

export interface RecipeContext {
  readonly recipient: Address;
  /** Minimum output in the smallest unit. */
  readonly minimumOut: bigint;
  /** Unix seconds. */
  readonly deadline: bigint;
}

export interface RecipeUse {
  /** The input currency; zero address for native currency. */
  readonly takes: Address;
  readonly input: RecipeInput;
  readonly credits: RecipeCredit;
  /** Account to approve if the input is an allowance. Defaults to the call's target. */
  readonly spender?: Address;
  /** Whether the call takes exactly its amount of the allowance or reverts. Otherwise, plans reset the allowance. */
  readonly takesExactly?: true;
  /** The protocol's call with an input amount. */
  readonly call: (amount: bigint | LiveAmount) => ProgramStep;
}

/**
 * Describes how to use a protocol function in a fill. All recipes have the same form, so a planner needs no code for a
 * particular recipe.
 */
export interface Recipe<
  Args,
  Trade extends CallTradeType = CallTradeType,
  Way extends LiveWay = LiveWay,
  Minimum extends RecipeMinimum = RecipeMinimum,
> {
  /** Protocol and verb: `erc4626.deposit`. */
  readonly name: string;
  /** Result for the recipient, in one sentence. */
  readonly about: string;
  readonly argumentNames: KnownOptions<Args>;
  readonly tradeTypes: readonly Trade[];
  /** Ways to use a live amount, best first. Some uses support only part of them. */
  readonly liveWays: readonly Way[];
  readonly minimum: Minimum;
  /** The typed proxy's function. Its native variant has the suffix "Native". */
  readonly proxyFunction?: "execute" | "repay";
  /** Resolves the arguments. */
  readonly use: (args: Args, context: RecipeContext) => RecipeUse;
}

export type AnyRecipe = Recipe<never>;

export type ArgumentsOf<R extends AnyRecipe> = Parameters<R["use"]>[0];
