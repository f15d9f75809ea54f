import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What each fast fill has taken from a balance, so that it can be corrected to the last digit. */
export const fastFillDebitsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable("fast_fills")
      .addColumn("debited_usd_e18", "numeric(96, 0)", (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`update fast_fills set debited_usd_e18 = held_usd_e18 where state = 'debited'`.execute(db);
  },
};
