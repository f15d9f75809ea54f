import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Who sponsors fees and what each sponsor has left, and the deposit addresses that quotes gave out. */
export const quotesMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("sponsors")
      .addColumn("api_key_hash", "text", (column) => column.primaryKey())
      .addColumn("balance_usd_e18", "numeric(96, 0)", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("sponsor_payments")
      .addColumn("request_id", "text", (column) => column.primaryKey())
      .addColumn("api_key_hash", "text", (column) => column.notNull().references("sponsors.api_key_hash"))
      .addColumn("usd_e18", "numeric(96, 0)", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("deposit_addresses")
      .addColumn("address", "text", (column) => column.primaryKey())
      .addColumn("request_id", "text", (column) => column.notNull())
      .addColumn("request", "jsonb", (column) => column.notNull())
      .execute();
    await sql`create index sponsor_payments_sponsor on sponsor_payments (api_key_hash)`.execute(db);
  },
};
