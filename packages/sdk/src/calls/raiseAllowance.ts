import { maxUint256 } from "viem";

import {
  type KnownOptions,
  rejectMisspelledOptions,
  rejectUnknownNestedOptions,
} from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidInputError } from "@crosscall/protocol/core";
import { requireAmount } from "@crosscall/protocol/encoding";
import type { Call } from "@crosscall/protocol/common";
import { approve, type ApproveParameters, resetAllowance } from "./approve.ts";

export interface AllowanceState {
  /**
   * Whether the token rejects a change from one non-zero allowance to another. If it is unknown, plans reset the
   * allowance first, because anyone can leave one on the router. `false` saves that call.
   */
  readonly refusesChange?: boolean;
  /**
   * The router's current allowance for the spender, in the smallest unit. Omit it if it is unknown or can change before
   * the fill, because anyone can leave an allowance on the router.
   */
  readonly standing?: bigint;
}

export const ALLOWANCE_OPTIONS = { refusesChange: 1, standing: 1 } satisfies KnownOptions<AllowanceState>;

export interface RaiseAllowanceParameters extends ApproveParameters {
  /** Allowance state; unknown by default. */
  readonly facts?: AllowanceState;
}

/**
 * Builds the calls that approve a spender for `amount` of the router's tokens. If the token may only change allowances
 * from or to zero (spec 2, call rule 2), the first call resets an allowance that is too small or unknown, and the
 * result is empty if the allowance is large enough. For other tokens, the only call is the approval.
 *
 * @throws {@link InvalidInputError} when an address, an amount or a fact is invalid
 */
export function raiseAllowance(options: RaiseAllowanceParameters): Call[] {
  rejectMisspelledOptions(options, ["facts", "token", "spender", "amount"]);
  rejectUnknownNestedOptions(options, { facts: ALLOWANCE_OPTIONS });
  const { facts = {}, ...parameters } = options;
  const { refusesChange = true } = facts;
  if (typeof refusesChange !== "boolean") {
    throw new InvalidInputError({
      field: "facts.refusesChange",
      value: refusesChange,
      reason: "it is not a boolean",
      hint: "Pass true or false, or omit it if it is unknown.",
    });
  }
  const approval = approve(parameters);
  if (!refusesChange) return [approval];
  const need = parameters.amount ?? maxUint256;
  const standing = facts.standing === undefined ? undefined : requireAmount(facts.standing, "facts.standing");
  if (standing === 0n) return [approval];
  if (standing !== undefined && standing >= need) return [];
  return [resetAllowance(parameters), approval];
}
