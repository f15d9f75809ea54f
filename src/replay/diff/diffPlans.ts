import { isSameAddress } from "@crosscall/sdk/internal/chains/address";
import type { FillPlan } from "../fillPlan.ts";
import { type CallChange, alignCalls } from "./alignCalls.ts";

/** A field that two plans have other values of. */
export interface TermChange {
  readonly field: Exclude<keyof FillPlan, "calls">;
  readonly before: FillPlan[TermChange["field"]];
  readonly after: FillPlan[TermChange["field"]];
}

/** What two versions of a plan differ in. */
export interface PlanDiff {
  readonly terms: readonly TermChange[];
  readonly calls: readonly CallChange[];
}

/** The fields of a plan beside its calls, in the order in which a difference is told. */
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

/** Tells in what two versions of a plan differ. Addresses and bytes are the same in any case. */
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
