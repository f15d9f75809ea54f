import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What is not quoted for now: one row, or none where nothing is restricted. */
export const restrictionsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("restrictions")
      .addColumn("is_current", "boolean", (column) => column.primaryKey().check(sql`is_current`))
      .addColumn("restrictions", "jsonb", (column) => column.notNull())
      .execute();
  },
};
