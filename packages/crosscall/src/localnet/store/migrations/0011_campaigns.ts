import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Campaigns of replays: their fills, and what came out of each. */
export const campaignsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("campaigns")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("selection", "jsonb", (column) => column.notNull())
      .addColumn("created_at", "timestamptz(3)", (column) => column.notNull())
      .addColumn("listed_at", "timestamptz(3)")
      .execute();
    await db.schema
      .createTable("campaign_items")
      .addColumn("campaign_id", "text", (column) => column.notNull().references("campaigns.id").onDelete("cascade"))
      .addColumn("id", "text", (column) => column.notNull())
      // What chains and services say may hold a character that jsonb has not.
      .addColumn("subject", "json", (column) => column.notNull())
      .addColumn("outcome", "text", (column) => column.check(sql`outcome in ('success', 'failure', 'error')`))
      .addColumn("cause", "text")
      .addColumn("summary", "json")
      .addColumn("report", "json")
      .addColumn("finished_at", "timestamptz(3)")
      .addPrimaryKeyConstraint("campaign_items_once", ["campaign_id", "id"])
      .execute();
    // Counted again and again while a campaign runs.
    await db.schema
      .createIndex("campaign_items_outcome")
      .on("campaign_items")
      .columns(["campaign_id", "outcome", "cause"])
      .execute();
  },
};
