import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** App fees of deleted requests, which their recipients can still claim. */
export const pastAppFeesMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("past_app_fees")
      .addColumn("wallet", "text", (column) => column.notNull())
      .addColumn("chain_id", "bigint", (column) => column.notNull())
      .addColumn("currency", "text", (column) => column.notNull())
      .addColumn("amount", "numeric(78, 0)", (column) => column.notNull())
      .execute();
    await sql`create index past_app_fees_wallet on past_app_fees (wallet)`.execute(db);
  },
};
