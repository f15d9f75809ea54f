import type { Address } from "viem";

import { isSameAddress } from "@crosscall/sdk/internal/chains/address";
import type { FailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";
import type { FillPlan } from "../fillPlan.ts";
import type { FailedCondition } from "../verdict.ts";
import { generalHint } from "./generalHint.ts";
import type { TokenRefusal } from "./tokenCondition.ts";

/** What a hint is made from. */
export interface HintFacts {
  readonly plan: FillPlan;
  readonly failReason: FailReason;
  readonly condition: FailedCondition | undefined;
  readonly txIndex: number | undefined;
  /** The transfer that was refused, where one was. */
  readonly refusal: TokenRefusal | undefined;
  /** What the cause itself tells of the way out, where it does. */
  readonly specificHint: string | undefined;
}

/** Says what to do about a failed fill, with the numbers of the case. */
export function hintFor({ plan, failReason, condition, txIndex, refusal, specificHint }: HintFacts): string {
  if (specificHint !== undefined) return specificHint;
  const general = generalHint(failReason);
  if (condition === undefined) return general;
  const { what, needed, had } = condition;
  const before = txIndex === undefined ? "before it is spent" : `before txs[${txIndex}]`;
  switch (kindOf(what)) {
    case "allowance":
      return `Approve at least ${needed} of ${nameOf(condition.currency)} to ${what.slice("allowance of ".length)} ${before}.`;
    case "allowance before a new one":
      return `Set the allowance to 0 first: the token does not change one of ${had} into another.`;
    case "balance":
      return (
        balanceHint(plan, condition, refusal) ??
        `${holderOf(condition, refusal)} has ${had} of ${nameOf(condition.currency)} and needs ${needed}. ${general}`
      );
    case "amount that arrives":
      return `Lower minimumIn to ${had} or less, or ask for a delivery of at least ${needed}.`;
    case "what the recipient gains":
    case "output of the swap":
      return `Lower the minimum to ${had} or less, or quote anew: the market gives ${needed - had} too little.`;
    case "deadline":
      return `Set the deadline after ${needed}: it was ${had}, and a fill takes its time.`;
    case "payment":
      return `Send ${needed} with the call in place of ${had}.`;
    case "gas":
      return `Quote with at least ${needed} gas: the limit was ${had}.`;
    case "gas for the program":
      return (
        `Quote with at least ${needed - had} more gas, or let the program ask for less: ` +
        `its steps and its fallback take ${needed}, and ${had} came with the call.`
      );
    default:
      return general;
  }
}

/** What is delivered is the router's, and the calls may spend no more of it. */
function balanceHint(plan: FillPlan, condition: FailedCondition, refusal?: TokenRefusal): string | undefined {
  const { needed, had, currency } = condition;
  const isDelivered = currency !== undefined && isSameAddress(currency, plan.currency);
  if (!isDelivered || !isSameAddress(holderOf(condition, refusal), plan.router)) return undefined;
  return `The calls spend ${needed} where ${had} is there: spend the live balance by a proxy, or ask for EXACT_OUTPUT of ${needed}.`;
}

/** What is short of an account's, without the account. */
function kindOf(what: string): string {
  return /^(allowance|balance) of 0x/u.exec(what)?.[1] ?? what;
}

function holderOf({ what }: FailedCondition, refusal?: TokenRefusal): string {
  return refusal?.from ?? what.slice("balance of ".length);
}

function nameOf(currency: Address | undefined): string {
  return currency ?? "the token";
}
