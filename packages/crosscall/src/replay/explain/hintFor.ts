import { isSameAddress } from "@crosscall/protocol/chains";
import type { FailReason } from "@crosscall/protocol/request";
import type { FillPlan } from "../fillPlan.ts";
import type { FailedCondition } from "../verdict.ts";
import { generalHint } from "./generalHint.ts";

export interface HintFacts {
  readonly plan: FillPlan;
  readonly failReason: FailReason;
  readonly condition: FailedCondition | undefined;
  readonly txIndex: number | undefined;
  /** A hint from the trace, which takes precedence. */
  readonly specificHint: string | undefined;
}

export function hintFor({ plan, failReason, condition, txIndex, specificHint }: HintFacts): string {
  if (specificHint !== undefined) return specificHint;
  const general = generalHint(failReason);
  if (condition === undefined) return general;
  const { needed, had } = condition;
  switch (condition.kind) {
    case "allowance": {
      const before = txIndex === undefined ? "before it is spent" : `before txs[${txIndex}]`;
      return `Approve at least ${needed} of ${condition.currency} to ${condition.spender} ${before}.`;
    }
    case "nonZeroAllowance":
      return `Set the allowance to 0 first: the token does not change an allowance of ${had} into another.`;
    case "balance":
      return (
        balanceHint(plan, condition) ??
        `${condition.account} has ${had} of ${condition.currency} and needs ${needed}. ${general}`
      );
    case "input":
      return `Lower minimumIn to ${had} or less, or request a delivery of at least ${needed}.`;
    case "output":
    case "swapOutput":
      return `Lower the minimum to ${had} or less, or request a new quote: the market returns ${needed - had} too little.`;
    case "deadline":
      return `Set the deadline after ${needed}: it was ${had}, and a fill takes time.`;
    case "payment":
      return `Send ${needed} with the call instead of ${had}.`;
    case "gas":
      return `Quote with at least ${needed} gas: the limit was ${had}.`;
    case "programGas":
      return (
        `Quote with at least ${needed - had} more gas, or lower the gas that the program requires: ` +
        `its steps and its fallback need ${needed}, and the call had ${had}.`
      );
    default:
      return general;
  }
}

/** The calls can spend at most the delivered amount. */
function balanceHint(
  plan: FillPlan,
  { account, currency, needed, had }: Extract<FailedCondition, { readonly kind: "balance" }>,
): string | undefined {
  if (!isSameAddress(currency, plan.currency) || !isSameAddress(account, plan.router)) return undefined;
  return `The calls spend ${needed}, but only ${had} is there: spend the live balance through a proxy, or use EXACT_OUTPUT with ${needed}.`;
}
