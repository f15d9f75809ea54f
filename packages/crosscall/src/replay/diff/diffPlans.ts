import { isSameAddress } from "@crosscall/protocol/chains";
import type { FillPlan } from "../fillPlan.ts";
import { type CallChange, alignCalls } from "./alignCalls.ts";

export interface TermChange {
  readonly field: Exclude<keyof FillPlan, "calls">;
  readonly before: FillPlan[TermChange["field"]];
  readonly after: FillPlan[TermChange["field"]];
}

export interface PlanDiff {
  readonly terms: readonly TermChange[];
  readonly calls: readonly CallChange[];
}

/** Fields besides the calls, in the order of display. */
const TERMS = [
  "chainId",
  "router",
  "routerVersion",
  "solver",
  "currency",
  "minimumAmount",
  "expectedAmount",
  "refundTo",
  "nftRecipient",
  "recipient",
  "orderId",
  "gas",
] as const satisfies readonly TermChange["field"][];

/** Addresses and bytes ignore case. */
export function diffPlans(before: FillPlan, after: FillPlan): PlanDiff {
  const terms = TERMS.flatMap((field) =>
    isSameTerm(before[field], after[field]) ? [] : [{ field, before: before[field], after: after[field] }],
  );
  return { terms, calls: alignCalls(before.calls, after.calls) };
}

function isSameTerm(left: TermChange["before"], right: TermChange["after"]): boolean {
  if (typeof left !== "string" || typeof right !== "string") return left === right;
  return isSameAddress(left, right) || left.toLowerCase() === right.toLowerCase();
}
