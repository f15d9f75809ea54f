import { type ColumnType, type JSONColumnType, sql } from "kysely";

import { InvalidStateError } from "@crosscall/protocol/core";
import type { CampaignJob, JobQueue } from "./jobs.ts";
import type { Database, TimeColumn } from "./schema.ts";

export interface CampaignTable {
  readonly id: string;
  readonly selection: JSONColumnType<object>;
  readonly created_at: TimeColumn;
  /** Time at which all fills of the campaign were known. */
  listed_at: ColumnType<Date | null, Date | null, Date | null>;
}

/** Outcome of a replay. `error`: the fill could not be replayed. */
export type CampaignOutcome = "success" | "failure" | "error";

export interface CampaignItemTable {
  readonly campaign_id: string;
  readonly id: string;
  readonly subject: JSONColumnType<object>;
  /** Null until replayed. */
  outcome: CampaignOutcome | null;
  /** `failReason` of a failure, or code of an error. */
  cause: string | null;
  /** Null until replayed. */
  summary: ColumnType<object | null, string | null, string | null>;
  /** Report; null before the replay, or if the replay was not possible. */
  report: ColumnType<object | null, string | null, string | null>;
  finished_at: ColumnType<Date | null, Date | null, Date | null>;
}

declare module "./schema.ts" {
  interface StoreSchema {
    campaigns: CampaignTable;
    campaign_items: CampaignItemTable;
  }
}

/** Storage of campaigns, and the queue of their fills. */
export interface CampaignStore {
  readonly db: Database;
  readonly replays: () => Promise<JobQueue<CampaignJob>>;
}

export interface CampaignItem {
  readonly id: string;
  readonly subject: object;
}

export interface CampaignResult {
  readonly outcome: CampaignOutcome;
  readonly cause: string | null;
  readonly summary: object;
  readonly report: object | null;
}

export interface FinishedItem {
  readonly id: string;
  readonly outcome: CampaignOutcome;
  readonly cause: string | null;
  readonly summary: object;
}

export interface CampaignCount {
  readonly outcome: CampaignOutcome | null;
  readonly cause: string | null;
  readonly count: number;
}

/**
 * @returns whether all fills of the campaign are known
 *
 * @throws {@link InvalidStateError} if a campaign with this id has other fills
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
      message: `campaign ${id} has other fills, or replays them with different settings`,
      hint: "To resume the campaign, pass the same filters or folder and the same --exact. Otherwise, use another name.",
    });
  }
  return { isListed: campaign.listed_at !== null };
}

export async function listCampaigns(db: Database): Promise<string[]> {
  const rows = await db.selectFrom("campaigns").select("id").orderBy("created_at", "desc").orderBy("id").execute();
  return rows.map(({ id }) => id);
}

export async function addCampaignItems(
  { db, replays }: CampaignStore,
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

export async function closeCampaignListing(db: Database, campaignId: string, listedAt: Date): Promise<void> {
  await db.updateTable("campaigns").set({ listed_at: listedAt }).where("id", "=", campaignId).execute();
}

export async function requeueCampaign({ db, replays }: CampaignStore, campaignId: string): Promise<void> {
  const queue = await replays();
  for (const itemId of await listWaitingItems(db, campaignId)) await queue.add({ campaignId, itemId });
}

export async function listWaitingItems(db: Database, campaignId: string): Promise<string[]> {
  const waiting = await db
    .selectFrom("campaign_items")
    .select("id")
    .where("campaign_id", "=", campaignId)
    .where("outcome", "is", null)
    .execute();
  return waiting.map(({ id }) => id);
}

export async function reopenErrors(db: Database, campaignId: string): Promise<void> {
  await db
    .updateTable("campaign_items")
    .set({ outcome: null, cause: null, summary: null, report: null, finished_at: null })
    .where("campaign_id", "=", campaignId)
    .where("outcome", "=", "error")
    .execute();
}

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

/** Reads a page of replayed fills, sorted by id. `after` is the last id of the previous page. */
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

export async function findItemReport(db: Database, campaignId: string, itemId: string): Promise<object | undefined> {
  const row = await db
    .selectFrom("campaign_items")
    .select("report")
    .where("campaign_id", "=", campaignId)
    .where("id", "=", itemId)
    .executeTakeFirst();
  return row?.report ?? undefined;
}
