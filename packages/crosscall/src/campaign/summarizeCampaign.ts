import { countCampaign } from "../localnet/store/campaigns.ts";
import type { Database } from "../localnet/store/store.ts";

export interface CampaignSummary {
  readonly total: number;
  readonly works: number;
  readonly fails: number;
  readonly errors: number;
  readonly waiting: number;
  readonly causes: readonly CampaignCause[];
}

export interface CampaignCause {
  readonly outcome: "failure" | "error";
  /** A `failReason`, or the code of an error. */
  readonly cause: string;
  readonly count: number;
}

export async function summarizeCampaign(db: Database, campaignId: string): Promise<CampaignSummary> {
  const counts = await countCampaign(db, campaignId);
  const countOf = (wanted: (typeof counts)[number]["outcome"]): number =>
    counts.reduce((sum, { outcome, count }) => (outcome === wanted ? sum + count : sum), 0);
  return {
    total: counts.reduce((sum, { count }) => sum + count, 0),
    works: countOf("success"),
    fails: countOf("failure"),
    errors: countOf("error"),
    waiting: countOf(null),
    causes: counts.flatMap(({ outcome, cause, count }) =>
      outcome === "failure" || outcome === "error" ? [{ outcome, cause: cause ?? "UNKNOWN", count }] : [],
    ),
  };
}
