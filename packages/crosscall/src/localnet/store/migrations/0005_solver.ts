import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What the solver writes down: each step of a request, every deposit that it saw, how chains and nonces went. */
export const solverMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable("requests")
      .addColumn("fail_details", "text")
      .addColumn("failed_block", "bigint")
      .execute();

    await db.schema
      .createTable("transitions")
      .addColumn("id", "bigserial", (column) => column.primaryKey())
      .addColumn("request_id", "text", (column) => column.notNull().references("request_ids.id").onDelete("cascade"))
      .addColumn("from_status", "text", (column) => column.notNull())
      .addColumn("to_status", "text", (column) => column.notNull())
      .addColumn("at", "timestamptz(3)", (column) => column.notNull())
      .addColumn("reason", "text")
      .execute();
    await sql`create index transitions_request on transitions (request_id, id)`.execute(db);

    await createDeposits(db);
    await createTransactionTables(db);
  },
};

async function createDeposits(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("deposits")
    .addColumn("chain_id", "bigint", (column) => column.notNull())
    .addColumn("tx_hash", "text", (column) => column.notNull())
    .addColumn("position", "integer", (column) => column.notNull())
    .addColumn("order_id", "text", (column) => column.notNull())
    .addColumn("depositor", "text", (column) => column.notNull())
    .addColumn("currency", "text", (column) => column.notNull())
    .addColumn("amount", "numeric(78, 0)", (column) => column.notNull())
    .addColumn("block_number", "bigint", (column) => column.notNull())
    .addColumn("block_timestamp", "bigint", (column) => column.notNull())
    .addColumn("fee", "numeric(78, 0)", (column) => column.notNull())
    .addColumn("gas_used", "bigint", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("request_id", "text", (column) => column.references("request_ids.id").onDelete("cascade"))
    .addColumn("seen_at", "timestamptz(3)", (column) => column.notNull())
    .addPrimaryKeyConstraint("deposits_pkey", ["chain_id", "tx_hash", "position"])
    .execute();
  await sql`create index deposits_block on deposits (chain_id, block_number)`.execute(db);
  await sql`create index deposits_order on deposits (order_id)`.execute(db);
  await sql`create index deposits_request on deposits (request_id)`.execute(db);
  await sql`create index deposits_open on deposits (chain_id) where state <> 'taken'`.execute(db);

  await db.schema
    .createTable("announcements")
    .addColumn("request_id", "text", (column) => column.primaryKey().references("request_ids.id").onDelete("cascade"))
    .addColumn("chain_id", "bigint", (column) => column.notNull())
    .addColumn("tx_hash", "text", (column) => column.notNull())
    .addColumn("at", "timestamptz(3)", (column) => column.notNull())
    .execute();

  await db.schema
    .createTable("scanned_blocks")
    .addColumn("chain_id", "bigint", (column) => column.notNull())
    .addColumn("block_number", "bigint", (column) => column.notNull())
    .addColumn("block_hash", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("scanned_blocks_pkey", ["chain_id", "block_number"])
    .execute();
}

async function createTransactionTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("attempts")
    .addColumn("hash", "text", (column) => column.primaryKey())
    .addColumn("transaction_id", "bigint", (column) =>
      column.notNull().references("transactions.id").onDelete("cascade"),
    )
    .addColumn("nonce", "bigint", (column) => column.notNull())
    .addColumn("signed", "text", (column) => column.notNull())
    .addColumn("is_cancellation", "boolean", (column) => column.notNull())
    .addColumn("created_at", "timestamptz(3)", (column) => column.notNull())
    .execute();
  await sql`create index attempts_transaction on attempts (transaction_id)`.execute(db);

  await db.schema
    .createTable("transaction_contents")
    .addColumn("transaction_id", "bigint", (column) =>
      column.primaryKey().references("transactions.id").onDelete("cascade"),
    )
    .addColumn("to", "text")
    .addColumn("input", "text", (column) => column.notNull())
    .addColumn("value", "numeric(78, 0)", (column) => column.notNull())
    .addColumn("state_changes", "jsonb", (column) => column.notNull())
    .execute();

  await sql`create index transactions_open on transactions (chain_id, nonce)
    where status = 'pending' and signed is not null`.execute(db);
  await sql`create index transactions_block on transactions (chain_id, block_number)`.execute(db);
}
