import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Permits that pay for requests, and calls that are executed for users. */
export const gaslessMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("permits")
      .addColumn("request_id", "text", (column) => column.primaryKey().references("request_ids.id").onDelete("cascade"))
      .addColumn("permit", "jsonb", (column) => column.notNull())
      // EIP-2612 messages of two requests can be the same.
      .addColumn("signature", "text", (column) => column.unique())
      .execute();
    await db.schema
      .createTable("executions")
      .addColumn("request_id", "text", (column) => column.primaryKey().references("request_ids.id").onDelete("cascade"))
      .addColumn("api_key_hash", "text", (column) => column.notNull())
      .addColumn("call", "jsonb", (column) => column.notNull())
      .addColumn("is_sponsored", "boolean", (column) => column.notNull())
      .execute();
  },
};
