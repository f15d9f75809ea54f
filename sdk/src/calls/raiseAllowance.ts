import { maxUint256 } from "viem";

import { requireAmount } from "../core/amounts.ts";
import type { Call } from "../protocol/common/call.ts";
import { approve, type ApproveParameters } from "./approve.ts";
import { resetAllowance } from "./resetAllowance.ts";

/** What is known of a token's allowances before an approval. */
export interface AllowanceState {
  /** True for a token that refuses to change one non-zero allowance into another. */
  readonly refusesChange?: boolean;
  /**
   * What the router has approved to the spender already, smallest unit. Leave it out where it is not known, or where it
   * may change until the fill: anyone can leave an allowance on the router.
   */
  readonly standing?: bigint;
}

/** What {@link raiseAllowance} takes. */
export interface RaiseAllowanceParameters extends ApproveParameters {
  /** Nothing is known, and the token takes every change, when left out. */
  readonly facts?: AllowanceState;
}

/**
 * Builds the calls after which a spender may move `amount` of the router's tokens. If the token only changes
 * allowances from or to zero (spec 2, call rule 2) and the current allowance is too small or unknown, it is reset
 * first; if it is large enough, no call is needed. For every other token it is the approval alone.
 *
 * @throws {@link InvalidInputError} when an address or an amount is none
 */
export function raiseAllowance({ facts = {}, ...parameters }: RaiseAllowanceParameters): Call[] {
  const { refusesChange = false } = facts;
  const approval = approve(parameters);
  if (!refusesChange) return [approval];
  const need = parameters.amount ?? maxUint256;
  const standing = facts.standing === undefined ? undefined : requireAmount(facts.standing, "facts.standing");
  if (standing === 0n) return [approval];
  if (standing !== undefined && standing >= need) return [];
  return [resetAllowance(parameters), approval];
}
