import type { Address } from "viem";

import type { TradeType } from "@crosscall/protocol/common";
import type { LiveAmount } from "../program/placeholder.ts";
import type { ProgramStep } from "../program/program.ts";

/** Spec 2, call rule 3. */
export type CallTradeType = Extract<TradeType, "EXACT_INPUT" | "EXACT_OUTPUT">;

/**
 * How a live amount reaches a protocol. - `proxy`: a typed proxy reads it. - `program`: the push executor writes it
 * into the call. - `nativeCall`: it is the value of the router's call, not part of the data. - `transfer`: the router
 * sends it to the protocol, which uses its balance.
 */
export type LiveWay = "proxy" | "program" | "nativeCall" | "transfer";

/**
 * How the input reaches the protocol: by approval (`allowance`), by a transfer before the call (`transfer`), as the
 * call's value (`value`), or burned by the protocol, which is the token (`burn`).
 */
export type RecipeInput = "allowance" | "transfer" | "value" | "burn";

/**
 * How the minimum output is enforced: by the protocol (`call`), by the proxy or the program but not in a direct call
 * (`live`), or not at all, if unnecessary or impossible (`none`).
 */
export type RecipeMinimum = "call" | "live" | "none";

/** Token balances can be measured, positions within a protocol cannot. */
export type RecipeCredit =
  | {
      readonly kind: "token";
      /** Zero address for native currency. */
      readonly token: Address;
      /** The plan forwards what the caller (router or executor) receives to the recipient. */
      readonly to: "recipient" | "caller";
    }
  | { readonly kind: "position"; readonly to: "recipient" };

export interface RecipeContext {
  readonly recipient: Address;
  /** Smallest unit of the output. */
  readonly minimumOut: bigint;
  /** Unix seconds. */
  readonly deadline: bigint;
}

export interface RecipeUse {
  /** The input currency; zero address for native currency. */
  readonly takes: Address;
  readonly input: RecipeInput;
  readonly credits: RecipeCredit;
  /** Approved account if the input is an allowance; the call's target by default. */
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
  /** The result for the recipient, in one sentence. */
  readonly about: string;
  readonly tradeTypes: readonly Trade[];
  /** Best first. Not every use supports all of them. */
  readonly liveWays: readonly Way[];
  readonly minimum: Minimum;
  /** The typed proxy's function; its native variant has the suffix "Native". */
  readonly proxyFunction?: "execute" | "repay";
  /** Resolves the arguments. */
  readonly use: (args: Args, context: RecipeContext) => RecipeUse;
}

export type AnyRecipe = Recipe<never>;

export type ArgumentsOf<R extends AnyRecipe> = Parameters<R["use"]>[0];
