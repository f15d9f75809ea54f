import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Faults that tests set up: which are to come, and what each request was given when it was quoted. */
export const scenariosMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("scenarios")
      .addColumn("id", "bigserial", (column) => column.primaryKey())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("parameters", "jsonb", (column) => column.notNull())
      // Null: until it is cleared.
      .addColumn("uses_left", "bigint")
      .addColumn("uses", "bigint", (column) => column.notNull().defaultTo(0))
      .addColumn("created_at", "timestamptz(3)", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("request_faults")
      .addColumn("request_id", "text", (column) => column.primaryKey())
      .addColumn("faults", "jsonb", (column) => column.notNull())
      .execute();
  },
};
