import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Calls by key, minute, endpoint and result. */
export const usageMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("usage_counts")
      .addColumn("key_hash", "text", (column) => column.notNull())
      .addColumn("minute", "timestamptz(3)", (column) => column.notNull())
      .addColumn("endpoint", "text", (column) => column.notNull())
      .addColumn("status_code", "integer", (column) => column.notNull())
      // Empty if there is none: null would not be unique.
      .addColumn("error_code", "text", (column) => column.notNull())
      .addColumn("count", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("usage_counts_once", ["key_hash", "minute", "endpoint", "status_code", "error_code"])
      .execute();
  },
};
