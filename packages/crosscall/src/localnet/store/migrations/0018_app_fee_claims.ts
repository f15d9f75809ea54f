import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Claims of app fees. Their transactions are in `transactions`, under the id of the claim. */
export const appFeeClaimsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("app_fee_claims")
      .addColumn("id", "text", (column) => column.primaryKey().references("request_ids.id"))
      .addColumn("wallet", "text", (column) => column.notNull())
      .addColumn("recipient", "text", (column) => column.notNull())
      .addColumn("chain_id", "bigint", (column) => column.notNull())
      .addColumn("currency", "text", (column) => column.notNull())
      .addColumn("amount", "numeric(78, 0)", (column) => column.notNull())
      .addColumn("usd_e18", "numeric(96, 0)", (column) => column.notNull())
      .addColumn("state", "text", (column) =>
        column.notNull().check(sql`state in ('quoted', 'authorized', 'sent', 'failed')`),
      )
      .addColumn("created_at", "timestamptz(3)", (column) => column.notNull())
      .execute();
    await sql`create index app_fee_claims_wallet on app_fee_claims (wallet, created_at desc, id desc)`.execute(db);
  },
};
