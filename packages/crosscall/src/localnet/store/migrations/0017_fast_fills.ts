import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Fills before the deposit, and what integrators risk with them. */
export const fastFillsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("fast_fills")
      .addColumn("request_id", "text", (column) => column.primaryKey().references("request_ids.id").onDelete("cascade"))
      .addColumn("api_key_hash", "text", (column) => column.notNull())
      .addColumn("input_amount", "numeric(78, 0)", (column) => column.notNull())
      .addColumn("max_fill_usd_e18", "numeric(96, 0)")
      .addColumn("state", "text", (column) =>
        column.notNull().check(sql`state in ('queued', 'held', 'released', 'debited', 'failed')`),
      )
      .addColumn("held_usd_e18", "numeric(96, 0)", (column) => column.notNull())
      .addColumn("created_at", "timestamptz(3)", (column) => column.notNull())
      .execute();
    // Summed for every fast fill of a key, and read again and again while deposits are missing.
    await sql`create index fast_fills_held on fast_fills (api_key_hash) where state = 'held'`.execute(db);
  },
};
