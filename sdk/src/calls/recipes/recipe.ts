import type { Address } from "viem";

import type { TradeType } from "../../protocol/common/tradeType.ts";
import type { LiveAmount } from "../program/placeholder.ts";
import type { ProgramStep } from "../program/program.ts";

/** The trade types with which calls can be made (spec 2, call rule 3). */
export type CallTradeType = Extract<TradeType, "EXACT_INPUT" | "EXACT_OUTPUT">;

/**
 * How an amount that only the fill knows reaches a protocol.
 *
 * - `proxy`: a typed proxy reads it.
 * - `program`: the push executor writes it into the call.
 * - `nativeCall`: it is the value of the call and stands nowhere in its data; the router makes the call.
 * - `transfer`: the router sends it to the protocol, which acts on what it holds.
 */
export type LiveWay = "proxy" | "program" | "nativeCall" | "transfer";

/**
 * How the input reaches the protocol: it may take it (`allowance`), it is sent to it before (`transfer`), it is the value
 * of the call (`value`), or the protocol is the token and burns it (`burn`).
 */
export type RecipeInput = "allowance" | "transfer" | "value" | "burn";

/**
 * What keeps the price: the protocol's own minimum (`call`), the proxy or the program that runs it (`live`, so nothing in
 * a direct call), or nothing because none is needed or there is none (`none`).
 */
export type RecipeMinimum = "call" | "live" | "none";

/** What a recipe credits. Balances of a token can be measured, positions inside a protocol cannot. */
export type RecipeCredit =
  | {
      readonly kind: "token";
      /** The zero address is native. */
      readonly token: Address;
      /** What goes to the caller, which is the router or the executor, is sent on to the recipient by the plan. */
      readonly to: "recipient" | "caller";
    }
  | { readonly kind: "position"; readonly to: "recipient" };

/** What the arguments of a recipe are read with. */
export interface RecipeContext {
  readonly recipient: Address;
  /** The least that the recipient must get, in the smallest unit of the output. */
  readonly minimumOut: bigint;
  /** Unix seconds. */
  readonly deadline: bigint;
}

/** A recipe with its arguments. */
export interface RecipeUse {
  /** The currency that goes in; the zero address is native. */
  readonly takes: Address;
  readonly input: RecipeInput;
  readonly credits: RecipeCredit;
  /** Who takes the input where the input is an allowance; the target of the call when left out. */
  readonly spender?: Address;
  /** The protocol's call with an amount of the input. */
  readonly call: (amount: bigint | LiveAmount) => ProgramStep;
}

/**
 * How to use a function of a protocol in a fill. All recipes have the same form, so planners need to know none of
 * them.
 */
export interface Recipe<
  Args,
  Trade extends CallTradeType = CallTradeType,
  Way extends LiveWay = LiveWay,
  Minimum extends RecipeMinimum = RecipeMinimum,
> {
  /** Protocol and verb: `erc4626.deposit`. */
  readonly name: string;
  /** In one sentence, who ends up with what. */
  readonly about: string;
  readonly tradeTypes: readonly Trade[];
  /** The ways of a live amount, the best first. Not every use has all of them. */
  readonly liveWays: readonly Way[];
  readonly minimum: Minimum;
  /** The function of the typed proxy, and its native side with "Native" behind it. */
  readonly proxyFunction?: "execute" | "repay";
  /** Reads the arguments. */
  readonly use: (args: Args, context: RecipeContext) => RecipeUse;
}

/** Any recipe, whatever its arguments. */
export type AnyRecipe = Recipe<never>;

/** The arguments of a recipe. */
export type ArgumentsOf<R extends AnyRecipe> = Parameters<R["use"]>[0];
