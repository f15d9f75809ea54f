import { sql } from "kysely";

import { InvalidStateError } from "@crosscall/sdk/internal/core/errors";
import type { CampaignJob } from "./jobs.ts";
import type { Database, Store } from "./store.ts";
import type { CampaignOutcome } from "./tables/campaignTables.ts";

/** A fill of a campaign, before it was replayed. */
export interface CampaignItem {
  /** The request's id, or the plan's name; a campaign has each once. */
  readonly id: string;
  /** What is to be replayed. */
  readonly subject: object;
}

/** What came out of a replay of a campaign. */
export interface CampaignResult {
  readonly outcome: CampaignOutcome;
  /** The `failReason` of a failure, the code of an error; null for a success. */
  readonly cause: string | null;
  readonly summary: object;
  /** The whole report; null where there is none. */
  readonly report: object | null;
}

/** A replayed fill of a campaign. */
export interface FinishedItem {
  readonly id: string;
  readonly outcome: CampaignOutcome;
  readonly cause: string | null;
  readonly summary: object;
}

/** How many fills of a campaign came out how. */
export interface CampaignCount {
  /** Null: not replayed yet. */
  readonly outcome: CampaignOutcome | null;
  readonly cause: string | null;
  readonly count: number;
}

/**
 * Makes a campaign, or goes on with the one of this id.
 *
 * @returns whether all of its fills are known already
 * @throws {@link InvalidStateError} when there is one of this id over other fills
 */
export async function openCampaign(
  db: Database,
  { id, selection, createdAt }: { readonly id: string; readonly selection: object; readonly createdAt: Date },
): Promise<{ readonly isListed: boolean }> {
  await db
    .insertInto("campaigns")
    .values({ id, selection: JSON.stringify(selection), created_at: createdAt, listed_at: null })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  const campaign = await db
    .selectFrom("campaigns")
    .select(["listed_at", sql<boolean>`selection = ${JSON.stringify(selection)}::jsonb`.as("is_same")])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  if (!campaign.is_same) {
    throw new InvalidStateError({
      message: `campaign ${id} is over other fills than these, or replays them otherwise`,
      hint: "Give the same filter or folder, and --exact as before, to go on with it, or another name.",
    });
  }
  return { isListed: campaign.listed_at !== null };
}

/** The ids of all campaigns, the newest first. */
export async function listCampaigns(db: Database): Promise<string[]> {
  const rows = await db.selectFrom("campaigns").select("id").orderBy("created_at", "desc").orderBy("id").execute();
  return rows.map(({ id }) => id);
}

/** Adds fills to a campaign, with a job for each; those that it has stay as they are. */
export async function addCampaignItems(
  { db, replays }: Pick<Store, "db" | "replays">,
  campaignId: string,
  items: readonly CampaignItem[],
): Promise<void> {
  if (items.length === 0) return;
  const queue = await replays();
  await db.transaction().execute(async (transaction) => {
    const added = await transaction
      .insertInto("campaign_items")
      .values(items.map(({ id, subject }) => ({ campaign_id: campaignId, id, subject: JSON.stringify(subject) })))
      .onConflict((conflict) => conflict.columns(["campaign_id", "id"]).doNothing())
      .returning("id")
      .execute();
    for (const { id } of added) await queue.add({ campaignId, itemId: id }, transaction);
  });
}

/** Notes that all fills of a campaign are known. */
export async function closeCampaignListing(db: Database, campaignId: string, listedAt: Date): Promise<void> {
  await db.updateTable("campaigns").set({ listed_at: listedAt }).where("id", "=", campaignId).execute();
}

/** Gives each fill that was not replayed its job again, where it has none any more. */
export async function requeueCampaign(
  { db, replays }: Pick<Store, "db" | "replays">,
  campaignId: string,
): Promise<void> {
  const queue = await replays();
  for (const itemId of await listWaitingItems(db, campaignId)) await queue.add({ campaignId, itemId });
}

/** The ids of the fills of a campaign that were not replayed yet. */
export async function listWaitingItems(db: Database, campaignId: string): Promise<string[]> {
  const waiting = await db
    .selectFrom("campaign_items")
    .select("id")
    .where("campaign_id", "=", campaignId)
    .where("outcome", "is", null)
    .execute();
  return waiting.map(({ id }) => id);
}

/** Takes back what could not be replayed, so that it is tried again. */
export async function reopenErrors(db: Database, campaignId: string): Promise<void> {
  await db
    .updateTable("campaign_items")
    .set({ outcome: null, cause: null, summary: null, report: null, finished_at: null })
    .where("campaign_id", "=", campaignId)
    .where("outcome", "=", "error")
    .execute();
}

/** What is to be replayed; undefined where it was already, or is not there any more. */
export async function findWaitingItem(
  db: Database,
  { campaignId, itemId }: CampaignJob,
): Promise<CampaignItem | undefined> {
  return db
    .selectFrom("campaign_items")
    .select(["id", "subject"])
    .where("campaign_id", "=", campaignId)
    .where("id", "=", itemId)
    .where("outcome", "is", null)
    .executeTakeFirst();
}

/** Keeps what came out of a replay; the first result of a fill stays. */
export async function finishCampaignItem(
  db: Database,
  { campaignId, itemId }: CampaignJob,
  { outcome, cause, summary, report }: CampaignResult,
  finishedAt: Date,
): Promise<void> {
  await db
    .updateTable("campaign_items")
    .set({
      outcome,
      cause,
      summary: JSON.stringify(summary),
      report: report === null ? null : JSON.stringify(report),
      finished_at: finishedAt,
    })
    .where("campaign_id", "=", campaignId)
    .where("id", "=", itemId)
    .where("outcome", "is", null)
    .execute();
}

/** How many fills of a campaign came out how, the most frequent first. */
export async function countCampaign(db: Database, campaignId: string): Promise<CampaignCount[]> {
  const rows = await db
    .selectFrom("campaign_items")
    .select(["outcome", "cause", sql<string>`count(*)`.as("count")])
    .where("campaign_id", "=", campaignId)
    .groupBy(["outcome", "cause"])
    .orderBy(sql`count(*)`, "desc")
    .orderBy("outcome")
    .orderBy("cause")
    .execute();
  return rows.map(({ outcome, cause, count }) => ({ outcome, cause, count: Number(count) }));
}

/** The replayed fills of a campaign, by their id, a page at a time: `after` is the last id of the page before. */
export async function listFinishedItems(
  db: Database,
  campaignId: string,
  { after = "", limit = 500 }: { readonly after?: string; readonly limit?: number } = {},
): Promise<FinishedItem[]> {
  const rows = await db
    .selectFrom("campaign_items")
    .select(["id", "outcome", "cause", "summary"])
    .where("campaign_id", "=", campaignId)
    .where("outcome", "is not", null)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.flatMap(({ id, outcome, cause, summary }) =>
    outcome === null ? [] : [{ id, outcome, cause, summary: summary ?? {} }],
  );
}

/** The whole report of a replayed fill; undefined where there is none. */
export async function findItemReport(db: Database, campaignId: string, itemId: string): Promise<object | undefined> {
  const row = await db
    .selectFrom("campaign_items")
    .select("report")
    .where("campaign_id", "=", campaignId)
    .where("id", "=", itemId)
    .executeTakeFirst();
  return row?.report ?? undefined;
}
