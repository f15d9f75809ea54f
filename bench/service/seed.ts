import type pg from "pg";

/** A currency of the requests. */
export interface SeedCurrency {
  readonly chainId: number;
  readonly address: string;
  readonly symbol: string;
}

/** Parameters of {@link seed}. */
export interface SeedParameters {
  /** Database client with the store's search path. */
  readonly client: pg.ClientBase;
  readonly count: number;
  /** Currencies, the most used first. */
  readonly currencies: readonly SeedCurrency[];
  /** API key hashes, the busiest first. */
  readonly apiKeyHashes: readonly string[];
  /** End of the last month, in ISO 8601. */
  readonly end: string;
}

/** Number of months that the requests span. */
const SEED_MONTHS = 12;

/**
 * Writes requests over twelve months from a few busy users and many others, each with an order, a deposit, and a fill
 * or refund. The result is deterministic. All orders are copies of the order of the only existing request.
 */
export async function seed({ client, count, currencies, apiKeyHashes, end }: SeedParameters): Promise<void> {
  // Skips foreign key checks: the rows only refer to each other, and a million checks would not measure the service.
  await client.query("set session_replication_role = replica");
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = current_schema() and tablename = 'requests' and indexname <> 'requests_pkey'`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);

  await client.query(`
    select ensure_requests_month(month) from generate_series(
      '${end}'::timestamptz - interval '${SEED_MONTHS} months', '${end}'::timestamptz, interval '1 month') as month`);
  await client.query("create temp table currency (place int primary key, chain_id bigint, address text, symbol text)");
  await client.query(
    `insert into currency select ordinality - 1, (value->>'chainId')::bigint, value->>'address', value->>'symbol'
     from jsonb_array_elements($1::jsonb) with ordinality`,
    [JSON.stringify(currencies)],
  );
  await client.query(`
    create function pg_temp.chance(n bigint, what bigint) returns double precision language sql immutable parallel safe
    as 'select (hashint8extended($1, $2) & 4294967295)::double precision / 4294967296'`);
  await client.query(rawRows(count, currencies.length, end), [apiKeyHashes]);
  await client.query("insert into request_ids select id, order_id, created_at from raw");
  await client.query(requestRows);
  await client.query(`
    insert into orders (${ORDER_COLUMNS.map((name) => `"${name}"`).join(", ")}, request_id)
    select ${ORDER_COLUMNS.map((name) => `one."${name}"`).join(", ")}, raw.id
    from raw cross join (select * from orders limit 1) as one`);
  for (const purpose of ["deposit", "outgoing"] as const) await client.query(transactionRows(purpose));
  // Otherwise, PostgreSQL would not use the partition indexes in its plans.
  for (const { definition } of indexes) await client.query(definition.replace(" ON ONLY ", " ON "));
  await client.query("drop table raw");
  await client.query("vacuum analyze");
}

const ORDER_COLUMNS = [
  "trade_type",
  "input_amount",
  "minimum_output_amount",
  "expected_output_amount",
  "slippage_tolerance_bps",
  "order_data",
  "details",
  "fees",
  "app_fees",
] as const;

/** Makes lower indexes far more frequent than higher ones. */
const skewed = (size: number, what: number, power = 3): string =>
  `floor(${size} * power(pg_temp.chance(n, ${what}), ${power}))::int`;

function rawRows(count: number, currencyCount: number, end: string): string {
  return `
    create temp table raw as select
      n,
      '0x' || md5('request' || n) || md5('r' || n) as id,
      '0x' || md5('order' || n) || md5('o' || n) as order_id,
      '0x' || left(md5('wallet' || ${skewed(50_000, 1)}) || md5('w'), 40) as "user",
      case when pg_temp.chance(n, 2) < 0.3 then ${skewed(50_000, 3)} else ${skewed(50_000, 1)} end as recipient,
      ${skewed(currencyCount, 4, 2)} as currency_in,
      ${skewed(currencyCount, 5, 2)} as currency_out,
      date_trunc('milliseconds', '${end}'::timestamptz - interval '${SEED_MONTHS} months'
        + (interval '${SEED_MONTHS * 30} days') * ((n - pg_temp.chance(n, 6)) / ${count})) as created_at,
      case when pg_temp.chance(n, 7) < 0.93 then 'success' when pg_temp.chance(n, 7) < 0.96 then 'refund'
        when pg_temp.chance(n, 7) < 0.975 then 'failure' when pg_temp.chance(n, 7) < 0.9995 then 'waiting'
        when pg_temp.chance(n, 7) < 0.9998 then 'pending' else 'depositing' end as status,
      (array['Bridge', 'Crosschain Swap', 'Call', 'Same-chain Swap', 'Send', 'Wrap', 'Unwrap'])[1 + ${skewed(7, 8)}]
        as request_type,
      round(exp(4 + 2.5 * (pg_temp.chance(n, 9) + pg_temp.chance(n, 10) + pg_temp.chance(n, 11) - 1.5) * 2)::numeric, 6)
        as amount_usd,
      case when pg_temp.chance(n, 12) < 0.4 then pg_temp.chance(n, 13) else 0 end as app_fee_share,
      case when pg_temp.chance(n, 14) < 0.7 then ($1::text[])[1 + ${skewed(100, 15)} % cardinality($1::text[])] end
        as api_key_hash,
      case when pg_temp.chance(n, 14) < 0.6 then 'app-' || ${skewed(200, 16)} end as referrer,
      case when pg_temp.chance(n, 17) < 0.05 then '0x' || md5('deposit' || n / 3) || '00000000' end as deposit_address,
      case when n > 1000 and pg_temp.chance(n, 18) < 0.01 then '0x' || md5('request' || n - 7) || md5('r' || n - 7) end
        as parent_request_id,
      floor(5 - 60 * ln(1 - pg_temp.chance(n, 19)))::bigint as fill_time_seconds,
      (array['SLIPPAGE', 'EXECUTION_REVERTED', 'SOLVER_BALANCE_TOO_LOW', 'ORDER_EXPIRED', 'NO_QUOTES',
        'TRANSFER_FAILED', 'DOUBLE_SPEND', 'TOO_LITTLE_RECEIVED'])[1 + ${skewed(8, 20)}] as reason
    from generate_series(1, ${count}) as n`;
}

const requestRows = `
  insert into requests (id, order_id, status, "user", recipient, request_type, origin_chain_id, destination_chain_id,
    origin_currency, destination_currency, origin_symbol, destination_symbol, amount_usd, app_fees_usd, features,
    referrer, api_key_hash, deposit_address, deposit_address_type, parent_request_id, deposit_block,
    fill_time_seconds, fail_reason, refund_fail_reason, has_deposit, has_fill, has_refund, created_at, updated_at)
  select id, order_id, status, "user", '0x' || left(md5('wallet' || recipient) || md5('w'), 40), request_type,
    input.chain_id, output.chain_id, input.address, output.address, input.symbol, output.symbol, amount_usd,
    round(amount_usd * app_fee_share::numeric / 100, 6),
    array_remove(array[
      case when app_fee_share > 0 then 'app_fees' end,
      case when deposit_address is not null then 'deposit_address' end,
      case when pg_temp.chance(n, 21) < 0.2 then 'fast_fill' end,
      case when pg_temp.chance(n, 22) < 0.002 then 'gas_top_up' end,
      case when pg_temp.chance(n, 23) < 0.0001 then 'fixed_rate' end], null),
    referrer, api_key_hash, deposit_address, case when deposit_address is not null then 'open' end, parent_request_id,
    case when status in ('waiting', 'depositing') then null
      else (extract(epoch from created_at)::bigint - 1600000000) / (1 + input.chain_id % 12) end,
    case when status = 'success' then fill_time_seconds end,
    case when status in ('refund', 'failure') then reason end,
    case when status = 'failure' and n % 5 = 0 then 'AMOUNT_TOO_LOW_TO_REFUND' end,
    status in ('success', 'refund', 'failure', 'pending'), status = 'success', status = 'refund',
    created_at, created_at + fill_time_seconds * interval '1 second'
  from raw
  join currency as input on input.place = currency_in
  join currency as output on output.place = currency_out`;

function transactionRows(purpose: "deposit" | "outgoing"): string {
  const isDeposit = purpose === "deposit";
  return `
    insert into transactions (request_id, purpose, chain_id, hash, sender, nonce, signed, status, block_number,
      block_timestamp, fee, gas_used, amount, currency, created_at)
    select id, ${isDeposit ? "'deposit'" : "case when status = 'refund' then 'refund' else 'fill' end"},
      c.chain_id, '0x' || md5('${purpose}' || n) || md5('${purpose}t' || n), "user",
      ${isDeposit ? "null, null" : "n, '0x02' || repeat(md5('signed' || n), 8)"}, 'success',
      (extract(epoch from created_at)::bigint - 1600000000) / (1 + c.chain_id % 12),
      extract(epoch from created_at)::bigint, 21000000000000, 90000, 1000000000000000, c.address, created_at
    from raw join currency as c on c.place = ${isDeposit ? "currency_in" : "currency_out"}
    where status in (${isDeposit ? "'success', 'refund', 'failure', 'pending'" : "'success', 'refund'"})`;
}
