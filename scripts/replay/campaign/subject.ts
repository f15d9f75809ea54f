import type { ReplayInput } from "../../../src/replay/subject/findFill.ts";
import type { PlannedFill } from "../../../src/replay/subject/subjectOfPlan.ts";

/** As stored: every worker replays it the same way. Amounts are decimal strings. */
export type CampaignSubject = (Exclude<ReplayInput, { readonly kind: "plan" }> | StoredPlan) & ReplayedHow;

export interface ReplayedHow {
  /** Whether the transactions before a past fill in its block run first. */
  readonly exact: boolean;
}

interface StoredPlan {
  readonly kind: "plan";
  readonly plan: Omit<PlannedFill, "delivered" | "minimumDelivered"> & { readonly delivered?: string };
}

export function toSubject(input: ReplayInput, { exact }: ReplayedHow): CampaignSubject {
  if (input.kind !== "plan") return { ...input, exact };
  const { delivered, minimumDelivered: _minimum, ...plan } = input.plan;
  return {
    kind: "plan",
    plan: { ...plan, ...(delivered === undefined ? {} : { delivered: String(delivered) }) },
    exact,
  };
}

export function toInput({ exact: _exact, ...input }: CampaignSubject): ReplayInput {
  if (input.kind !== "plan") return input;
  const { delivered, ...plan } = input.plan;
  return { kind: "plan", plan: { ...plan, ...(delivered === undefined ? {} : { delivered: BigInt(delivered) }) } };
}
