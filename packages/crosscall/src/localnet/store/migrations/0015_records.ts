import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What records state beyond quotes and transactions: reorgs, fields set from outside, and shares of the platform fee. */
export const recordsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable("deposits")
      .addColumn("reorged_at", "timestamptz(3)")
      .addColumn("block_hash", "text")
      .execute();
    await sql`create index deposits_lost on deposits (request_id) where state = 'lost'`.execute(db);
    await db.schema
      .createTable("record_fields")
      .addColumn("request_id", "text", (column) => column.primaryKey().references("request_ids.id").onDelete("cascade"))
      .addColumn("fields", "jsonb", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("revenue_shares")
      .addColumn("api_key_hash", "text", (column) => column.primaryKey())
      .addColumn("is_business_verified", "boolean", (column) => column.notNull())
      .addColumn("wallet", "text")
      .addColumn("other_volume_usd", "numeric(96, 6)", (column) => column.notNull())
      .execute();
  },
};
