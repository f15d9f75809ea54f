import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Requests, their transactions and the scan positions. */
export const requestsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("requests")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("order_id", "text", (column) => column.notNull().unique())
      .addColumn("status", "text", (column) => column.notNull())
      .addColumn("user", "text", (column) => column.notNull())
      .addColumn("recipient", "text", (column) => column.notNull())
      .addColumn("refund_to", "text")
      .addColumn("request_type", "text", (column) => column.notNull())
      .addColumn("trade_type", "text", (column) => column.notNull())
      .addColumn("origin_chain_id", "bigint", (column) => column.notNull())
      .addColumn("destination_chain_id", "bigint", (column) => column.notNull())
      .addColumn("origin_currency", "text", (column) => column.notNull())
      .addColumn("destination_currency", "text", (column) => column.notNull())
      .addColumn("input_amount", "numeric(78, 0)", (column) => column.notNull())
      .addColumn("minimum_output_amount", "numeric(78, 0)", (column) => column.notNull())
      .addColumn("expected_output_amount", "numeric(78, 0)", (column) => column.notNull())
      .addColumn("slippage_tolerance_bps", "integer", (column) => column.notNull())
      .addColumn("referrer", "text")
      .addColumn("order_data", "jsonb", (column) => column.notNull())
      .addColumn("details", "jsonb", (column) => column.notNull())
      .addColumn("fees", "jsonb", (column) => column.notNull())
      .addColumn("app_fees", "jsonb", (column) => column.notNull())
      .addColumn("fail_reason", "text")
      .addColumn("refund_fail_reason", "text")
      .addColumn("created_at", "timestamptz(3)", (column) => column.notNull())
      .addColumn("updated_at", "timestamptz(3)", (column) => column.notNull())
      .execute();

    // One narrow index for each way to list; the id breaks ties, so that a page is a keyset scan.
    await sql`create index requests_created on requests (created_at desc, id desc)`.execute(db);
    await sql`create index requests_user on requests (lower("user"), created_at desc, id desc)`.execute(db);
    await sql`create index requests_recipient on requests (lower(recipient), created_at desc, id desc)`.execute(db);
    await sql`create index requests_status on requests (status, created_at desc, id desc)`.execute(db);

    await db.schema
      .createTable("transactions")
      .addColumn("id", "bigserial", (column) => column.primaryKey())
      .addColumn("request_id", "text", (column) => column.notNull().references("requests.id"))
      .addColumn("purpose", "text", (column) => column.notNull())
      .addColumn("chain_id", "bigint", (column) => column.notNull())
      .addColumn("hash", "text", (column) => column.notNull())
      .addColumn("sender", "text", (column) => column.notNull())
      .addColumn("nonce", "bigint")
      .addColumn("signed", "text")
      .addColumn("status", "text", (column) => column.notNull())
      .addColumn("block_number", "bigint")
      .addColumn("block_timestamp", "bigint")
      .addColumn("fee", "numeric(78, 0)")
      .addColumn("gas_used", "bigint")
      .addColumn("amount", "numeric(78, 0)", (column) => column.notNull())
      .addColumn("currency", "text", (column) => column.notNull())
      .addColumn("created_at", "timestamptz(3)", (column) => column.notNull())
      // A request has one deposit, one fill and one refund, whoever tries to write a second.
      .addUniqueConstraint("transactions_once", ["request_id", "purpose"])
      .addUniqueConstraint("transactions_nonce", ["chain_id", "sender", "nonce"])
      .execute();
    await sql`create index transactions_hash on transactions (hash)`.execute(db);

    await db.schema
      .createTable("scans")
      .addColumn("chain_id", "bigint", (column) => column.primaryKey())
      .addColumn("genesis_hash", "text", (column) => column.notNull())
      .addColumn("block_number", "bigint", (column) => column.notNull())
      .execute();
  },
};
