import { countCampaign } from "../store/campaigns.ts";
import type { Database } from "../store/store.ts";

/** How a campaign stands. */
export interface CampaignSummary {
  /** Fills that are known so far. */
  readonly total: number;
  /** Fills that work. */
  readonly works: number;
  /** Fills that fail. */
  readonly fails: number;
  /** Fills that could not be replayed. */
  readonly errors: number;
  /** Fills that are still to be replayed. */
  readonly waiting: number;
  /** Why fills fail or could not be replayed, the most frequent first. */
  readonly causes: readonly CampaignCause[];
}

/** A cause with the number of fills that it stopped. */
export interface CampaignCause {
  readonly outcome: "failure" | "error";
  /** A `failReason`, or the code of an error. */
  readonly cause: string;
  readonly count: number;
}

/** How a campaign stands now. */
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
