import type { ReplayInput } from "../../../src/replay/subject/findFill.ts";

/** A fill as a campaign keeps it: the input of a replay, with amounts as decimal strings. */
export type CampaignSubject = Exclude<ReplayInput, { readonly kind: "plan" }> | StoredPlan;

interface StoredPlan {
  readonly kind: "plan";
  readonly plan: Omit<Extract<ReplayInput, { readonly kind: "plan" }>["plan"], "delivered" | "minimumDelivered">;
}

/** A fill as a campaign keeps it. */
export function toSubject(input: ReplayInput): CampaignSubject {
  if (input.kind !== "plan") return input;
  const { delivered: _delivered, minimumDelivered: _minimum, ...plan } = input.plan;
  return { kind: "plan", plan };
}
