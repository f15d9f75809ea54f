import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

import { TABLES } from "./tables.ts";

/**
 * Indexed columns of listings. Each index has one of these columns first, then the default order, so that a page is
 * read directly from the index.
 */
const LISTED_BY: Readonly<Record<string, string>> = {
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

/** Columns that most requests do not have. Their partial indexes contain only requests that do. */
const RARELY_SET: Readonly<Record<string, string>> = {
  api_key: "api_key_hash",
  fail_reason: "fail_reason",
  refund_fail_reason: "refund_fail_reason",
  referrer: "referrer",
  parent: "parent_request_id",
  deposit_block: "deposit_block",
  fill_time: "fill_time_seconds",
};

const NEWEST = "created_at desc, id desc";

const IS_OPEN = "status in ('waiting', 'depositing')";

/** Indexes of `requests`: name, and key with condition. */
const REQUEST_INDEXES = [
  ...Object.entries(LISTED_BY).map(([name, key]) => [name, `(${key}, ${NEWEST})`]),
  ...Object.entries(RARELY_SET).map(([name, column]) => [name, `(${column}, ${NEWEST}) where ${column} is not null`]),
  ...["deposit", "fill", "refund"].map((it) => [`no_${it}`, `(status, ${NEWEST}) where not has_${it}`]),
  ["deposit_address", `(lower(deposit_address), ${NEWEST}) where deposit_address is not null`],
  ["created", `(${NEWEST})`],
  ["updated", "(updated_at desc, id desc)"],
  ["amount_usd", "(amount_usd, id)"],
  ["app_fees_usd", "(app_fees_usd)"],
  ["features", "using gin (features)"],
  // Without these indexes, each block would read all unpaid requests.
  ["at_address", `(lower(deposit_address)) where deposit_address is not null and ${IS_OPEN}`],
  [
    "same_chain",
    `(origin_chain_id) where origin_chain_id = destination_chain_id and deposit_address is null and ${IS_OPEN}`,
  ],
].map(([name, key]) => `create index requests_${name} on requests ${key}`);

/**
 * SQL function that creates the table of a month (UTC) if it does not exist. Concurrent callers wait until the first
 * caller commits. Unlike `partition of`, attaching a table does not block reads.
 */
const ENSURE_MONTH = `
    create function ensure_requests_month(at timestamptz) returns void language plpgsql as $$
    declare
      first timestamp := date_trunc('month', at at time zone 'UTC');
      name text := 'requests_' || to_char(first, 'YYYY_MM');
    begin
      if to_regclass(name) is not null then return; end if;
      perform pg_advisory_xact_lock(hashtextextended('crosscall.requests_month', 0));
      -- The name is cached as missing: pg_class shows what was committed meanwhile.
      if exists (
        select from pg_class where relname = name
          and relnamespace = (select relnamespace from pg_class where oid = 'requests'::regclass)
      ) then return; end if;
      execute format('create table %I (like requests including defaults including constraints)', name);
      execute format('alter table requests attach partition %I for values from (%L) to (%L)',
        name, first at time zone 'UTC', (first + interval '1 month') at time zone 'UTC');
    end $$`;

/**
 * SQL function that maintains `has_deposit`, `has_fill` and `has_refund`. Records of another service are written with
 * these columns. A request with several inputs can keep other deposits after one of them is deleted.
 */
const NOTE_TRANSACTION = `
    create function note_known_transaction() returns trigger language plpgsql as $$
    declare
      known transactions := case when tg_op = 'DELETE' then old else new end;
      is_there boolean := (tg_op <> 'DELETE' and known.status <> 'failure') or exists (
        select from transactions as other
        where other.request_id = known.request_id and other.purpose = known.purpose and other.status <> 'failure');
      month timestamptz := (select created_at from request_ids where id = known.request_id);
    begin
      update requests set
        has_deposit = case known.purpose when 'deposit' then is_there else has_deposit end,
        has_fill = case known.purpose when 'fill' then is_there else has_fill end,
        has_refund = case known.purpose when 'refund' then is_there else has_refund end
      where id = known.request_id and created_at = month;
      return null;
    end $$`;

/**
 * SQL function that locks the nonces of a sender and returns its highest nonce. A single query could not do both, because
 * it would not see the nonces that were committed while it waited for the lock.
 */
const LOCK_NONCES = `
    create function lock_nonces(chain bigint, account text) returns bigint language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(hashtextextended(format('crosscall.nonces %s %s', chain, account), 0));
      return (select max(nonce) from transactions where chain_id = chain and sender = account);
    end $$`;

const IS_LISTED = "purpose in ('deposit', 'fill', 'refund')";

const TRIGGERS = [
  `added after insert on transactions for each row when (new.${IS_LISTED} and new.status <> 'failure')`,
  `changed after update of status on transactions for each row
    when (new.${IS_LISTED} and (old.status = 'failure') <> (new.status = 'failure'))`,
  `deleted after delete on transactions for each row when (old.${IS_LISTED} and old.status <> 'failure')`,
].map((trigger) => `create trigger known_transaction_${trigger} execute function note_known_transaction()`);

/** Creates all tables. Each later schema change is a separate migration. */
export const schemaMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const statements = [
      ...TABLES.split(/;\n/u),
      ...REQUEST_INDEXES,
      ENSURE_MONTH,
      NOTE_TRANSACTION,
      LOCK_NONCES,
      ...TRIGGERS,
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
