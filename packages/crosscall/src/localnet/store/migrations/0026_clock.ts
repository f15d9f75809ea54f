import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** The service's clock, which all processes share. */
export const clockMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("service_clock")
      // One row.
      .addColumn("id", "integer", (column) => column.primaryKey())
      .addColumn("offset_ms", "bigint", (column) => column.notNull())
      .execute();
  },
};
