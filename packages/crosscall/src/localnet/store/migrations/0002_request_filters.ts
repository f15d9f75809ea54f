import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Columns that the listing filters and sorts by, in addition to the quote's, with one narrow index per filter family. */
export const requestFiltersMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable("requests")
      .addColumn("api_key_hash", "text")
      .addColumn("origin_symbol", "text", (column) => column.notNull().defaultTo(""))
      .addColumn("destination_symbol", "text", (column) => column.notNull().defaultTo(""))
      // Wide enough for the worth of any uint256.
      .addColumn("amount_usd", "numeric(96, 6)", (column) => column.notNull().defaultTo(0))
      .addColumn("app_fees_usd", "numeric(96, 6)", (column) => column.notNull().defaultTo(0))
      .addColumn("features", sql`text[]`, (column) => column.notNull().defaultTo(sql`'{}'`))
      .addColumn("deposit_address", "text")
      .addColumn("deposit_address_type", "text")
      .addColumn("parent_request_id", "text")
      .addColumn("deposit_block", "bigint")
      .addColumn("fill_time_seconds", "bigint")
      .addColumn("failed_call_data", "jsonb")
      .execute();
    await fillColumns(db);
    // A default would let a writer forget them.
    for (const column of ["origin_symbol", "destination_symbol", "amount_usd", "app_fees_usd", "features"]) {
      await sql`alter table requests alter column ${sql.ref(column)} drop default`.execute(db);
    }
    await createIndexes(db);
  },
};

/** Requests of an earlier version: their columns are derived from their quotes and transactions. */
async function fillColumns(db: Kysely<unknown>): Promise<void> {
  await sql`
    update requests set
      origin_symbol = coalesce(details->'currencyIn'->'currency'->>'symbol', ''),
      destination_symbol = coalesce(details->'currencyOut'->'currency'->>'symbol', ''),
      amount_usd = coalesce((details->'currencyIn'->>'amountUsd')::numeric, 0),
      app_fees_usd = div(coalesce((fees->>'app')::numeric, 0), 1e12) / 1e6,
      features = case when jsonb_array_length(app_fees) > 0 then array['app_fees'] else '{}' end`.execute(db);
  await sql`
    update requests set deposit_block = deposit.block_number from transactions as deposit
    where deposit.request_id = requests.id and deposit.purpose = 'deposit'
      and deposit.chain_id = requests.origin_chain_id`.execute(db);
  await sql`
    update requests set fill_time_seconds = greatest(fill.block_timestamp - deposit.block_timestamp, 0)
    from transactions as deposit, transactions as fill
    where deposit.request_id = requests.id and deposit.purpose = 'deposit'
      and fill.request_id = requests.id and fill.purpose = 'fill' and fill.status = 'success'`.execute(db);
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  // Equality first, then the order of the default listing, so that a page is read off the index.
  const byCreation: Record<string, string> = {
    origin_chain: "origin_chain_id",
    destination_chain: "destination_chain_id",
    type: "lower(request_type)",
    origin_currency: "lower(origin_currency)",
    destination_currency: "lower(destination_currency)",
    origin_symbol: "lower(origin_symbol)",
    destination_symbol: "lower(destination_symbol)",
  };
  for (const [name, key] of Object.entries(byCreation)) {
    await sql`create index ${sql.ref(`requests_${name}`)} on requests (${sql.raw(key)}, created_at desc, id desc)`.execute(
      db,
    );
  }
  // Most requests have none of these: the index holds those that do.
  const partial: Record<string, string> = {
    api_key: "api_key_hash",
    fail_reason: "fail_reason",
    refund_fail_reason: "refund_fail_reason",
    referrer: "referrer",
    parent: "parent_request_id",
    deposit_block: "deposit_block",
    fill_time: "fill_time_seconds",
  };
  for (const [name, column] of Object.entries(partial)) {
    await sql`create index ${sql.ref(`requests_${name}`)} on requests (${sql.ref(column)}, created_at desc, id desc)
      where ${sql.ref(column)} is not null`.execute(db);
  }
  await sql`create index requests_deposit_address on requests (lower(deposit_address), created_at desc, id desc)
    where deposit_address is not null`.execute(db);
  await sql`create index requests_updated on requests (updated_at desc, id desc)`.execute(db);
  await sql`create index requests_amount_usd on requests (amount_usd, id)`.execute(db);
  await sql`create index requests_app_fees_usd on requests (app_fees_usd)`.execute(db);
  await sql`create index requests_features on requests using gin (features)`.execute(db);
}
