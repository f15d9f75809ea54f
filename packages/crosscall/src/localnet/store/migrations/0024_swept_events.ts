import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** When a delivery was queued for an event whose process ended. */
export const sweptEventsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable("webhook_events").addColumn("swept_at", "timestamptz(3)").execute();
  },
};
