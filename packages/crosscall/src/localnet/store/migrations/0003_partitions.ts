import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Requests by month of creation, so that old ones go by dropping a table. What listings never filter by moves to
 * `orders`, so that their rows are narrow; a request that another service made has none there. `request_ids` is what
 * keeps ids unique over all months, and what other tables refer to.
 */
export const partitionsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table requests rename to requests_before`.execute(db);
    await sql`alter table transactions drop constraint transactions_request_id_fkey`.execute(db);
    await createTables(db);
    await createMonthFunction(db);
    await moveRows(db);
    await sql`drop table requests_before`.execute(db);
    await addConstraints(db);
    await createIndexes(db);
  },
};

async function createTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("request_ids")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("order_id", "text", (column) => column.notNull().unique())
    .addColumn("created_at", "timestamptz(3)", (column) => column.notNull())
    // For the reference from `requests`: a request is in one month only.
    .addUniqueConstraint("request_ids_month", ["id", "created_at"])
    .execute();
  await db.schema
    .createTable("requests")
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("order_id", "text", (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("user", "text", (column) => column.notNull())
    .addColumn("recipient", "text", (column) => column.notNull())
    .addColumn("refund_to", "text")
    .addColumn("request_type", "text", (column) => column.notNull())
    .addColumn("origin_chain_id", "bigint", (column) => column.notNull())
    .addColumn("destination_chain_id", "bigint", (column) => column.notNull())
    .addColumn("origin_currency", "text", (column) => column.notNull())
    .addColumn("destination_currency", "text", (column) => column.notNull())
    .addColumn("origin_symbol", "text", (column) => column.notNull())
    .addColumn("destination_symbol", "text", (column) => column.notNull())
    // Wide enough for the worth of any uint256.
    .addColumn("amount_usd", "numeric(96, 6)", (column) => column.notNull())
    .addColumn("app_fees_usd", "numeric(96, 6)", (column) => column.notNull())
    .addColumn("features", sql`text[]`, (column) => column.notNull())
    .addColumn("referrer", "text")
    .addColumn("api_key_hash", "text")
    .addColumn("deposit_address", "text")
    .addColumn("deposit_address_type", "text")
    .addColumn("parent_request_id", "text")
    .addColumn("deposit_block", "bigint")
    .addColumn("fill_time_seconds", "bigint")
    .addColumn("fail_reason", "text")
    .addColumn("refund_fail_reason", "text")
    .addColumn("failed_call_data", "jsonb")
    .addColumn("created_at", "timestamptz(3)", (column) => column.notNull())
    .addColumn("updated_at", "timestamptz(3)", (column) => column.notNull())
    .modifyEnd(sql`partition by range (created_at)`)
    .execute();
  await db.schema
    .createTable("orders")
    .addColumn("request_id", "text", (column) => column.primaryKey())
    .addColumn("trade_type", "text", (column) => column.notNull())
    .addColumn("input_amount", "numeric(78, 0)", (column) => column.notNull())
    .addColumn("minimum_output_amount", "numeric(78, 0)", (column) => column.notNull())
    .addColumn("expected_output_amount", "numeric(78, 0)", (column) => column.notNull())
    .addColumn("slippage_tolerance_bps", "integer", (column) => column.notNull())
    .addColumn("order_data", "jsonb", (column) => column.notNull())
    .addColumn("details", "jsonb", (column) => column.notNull())
    .addColumn("fees", "jsonb", (column) => column.notNull())
    .addColumn("app_fees", "jsonb", (column) => column.notNull())
    .execute();
}

/**
 * Makes the table of a month where it is not there yet; months are those of UTC. Of all that ask for it at once one
 * makes it, and the others wait for its commit. Attaching locks less than `partition of` would: reads go on.
 */
async function createMonthFunction(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function ensure_requests_month(at timestamptz) returns void language plpgsql as $$
    declare
      first timestamp := date_trunc('month', at at time zone 'UTC');
      name text := 'requests_' || to_char(first, 'YYYY_MM');
    begin
      if to_regclass(name) is not null then return; end if;
      perform pg_advisory_xact_lock(hashtextextended('crosscall.requests_month', 0));
      -- The name is cached as missing: the table of tables tells what was committed meanwhile.
      if exists (
        select from pg_class where relname = name
          and relnamespace = (select relnamespace from pg_class where oid = 'requests'::regclass)
      ) then return; end if;
      execute format('create table %I (like requests including defaults including constraints)', name);
      execute format('alter table requests attach partition %I for values from (%L) to (%L)',
        name, first at time zone 'UTC', (first + interval '1 month') at time zone 'UTC');
    end $$`.execute(db);
}

async function moveRows(db: Kysely<unknown>): Promise<void> {
  await sql`
    select ensure_requests_month(month.first) from (
      select distinct date_trunc('month', created_at, 'UTC') as first from requests_before
    ) as month`.execute(db);
  await sql`insert into request_ids select id, order_id, created_at from requests_before`.execute(db);
  await sql`
    insert into requests
    select id, order_id, status, "user", recipient, refund_to, request_type, origin_chain_id, destination_chain_id,
      origin_currency, destination_currency, origin_symbol, destination_symbol, amount_usd, app_fees_usd, features,
      referrer, api_key_hash, deposit_address, deposit_address_type, parent_request_id, deposit_block,
      fill_time_seconds, fail_reason, refund_fail_reason, failed_call_data, created_at, updated_at
    from requests_before`.execute(db);
  await sql`
    insert into orders
    select id, trade_type, input_amount, minimum_output_amount, expected_output_amount, slippage_tolerance_bps,
      order_data, details, fees, app_fees
    from requests_before`.execute(db);
}

/** What belongs to a request goes with its id. */
async function addConstraints(db: Kysely<unknown>): Promise<void> {
  await sql`alter table requests add primary key (id, created_at)`.execute(db);
  await sql`
    alter table requests add constraint requests_id foreign key (id, created_at)
      references request_ids (id, created_at) on delete cascade`.execute(db);
  for (const table of ["orders", "transactions"]) {
    await sql`
      alter table ${sql.ref(table)} add constraint ${sql.ref(`${table}_request`)} foreign key (request_id)
        references request_ids (id) on delete cascade`.execute(db);
  }
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  // Equality first, then the order of the default listing, so that a page is read off the index.
  const byCreation: Record<string, string> = {
    user: 'lower("user")',
    recipient: "lower(recipient)",
    status: "status",
    origin_chain: "origin_chain_id",
    destination_chain: "destination_chain_id",
    type: "lower(request_type)",
    origin_currency: "lower(origin_currency)",
    destination_currency: "lower(destination_currency)",
    origin_symbol: "lower(origin_symbol)",
    destination_symbol: "lower(destination_symbol)",
  };
  for (const [name, key] of Object.entries(byCreation)) await createIndex(db, name, `${key}, created_at desc, id desc`);
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
    await createIndex(db, name, `${column}, created_at desc, id desc`, `${column} is not null`);
  }
  await createIndex(
    db,
    "deposit_address",
    "lower(deposit_address), created_at desc, id desc",
    "deposit_address is not null",
  );
  await createIndex(db, "created", "created_at desc, id desc");
  await createIndex(db, "updated", "updated_at desc, id desc");
  await createIndex(db, "amount_usd", "amount_usd, id");
  await createIndex(db, "app_fees_usd", "app_fees_usd");
  await sql`create index requests_features on requests using gin (features)`.execute(db);
}

async function createIndex(db: Kysely<unknown>, name: string, key: string, condition = "true"): Promise<void> {
  const where = condition === "true" ? sql`` : sql`where ${sql.raw(condition)}`;
  await sql`create index ${sql.ref(`requests_${name}`)} on requests (${sql.raw(key)}) ${where}`.execute(db);
}
