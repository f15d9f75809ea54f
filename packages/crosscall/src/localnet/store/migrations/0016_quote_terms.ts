import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What quote requests ask of their fills. */
export const quoteTermsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable("orders")
      .addColumn("terms", "jsonb", (column) => column.notNull().defaultTo(sql`'{}'::jsonb`))
      .execute();
  },
};
