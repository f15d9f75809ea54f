/** Amounts are `numeric(78, 0)`, which fits any uint256. Values in US dollars are wider. */
export const TABLES = `
-- Keeps ids unique over all months. Other tables refer to it, and their rows are deleted with it.
-- A mirrored same-chain swap and a claim have no order.
create table request_ids (
  id text primary key,
  order_id text unique,
  created_at timestamptz(3) not null,
  -- For the reference from requests: a request is in one month only.
  constraint request_ids_month unique (id, created_at)
);
-- By month of creation, so that old requests are deleted by dropping a table.
create table requests (
  id text not null,
  order_id text,
  status text not null,
  "user" text not null,
  recipient text not null,
  refund_to text,
  request_type text not null,
  origin_chain_id bigint not null,
  destination_chain_id bigint not null,
  origin_currency text not null,
  destination_currency text not null,
  origin_symbol text not null,
  destination_symbol text not null,
  amount_usd numeric(96, 6) not null,
  app_fees_usd numeric(96, 6) not null,
  features text[] not null,
  referrer text,
  api_key_hash text,
  deposit_address text,
  deposit_address_type text,
  parent_request_id text,
  deposit_block bigint,
  fill_time_seconds bigint,
  fail_reason text,
  refund_fail_reason text,
  failed_call_data jsonb,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  fail_details text,
  failed_block bigint,
  input_count integer not null default 1,
  -- Beside the other filter columns: a listing would otherwise look up the transactions of every request.
  has_deposit boolean not null default false,
  has_fill boolean not null default false,
  has_refund boolean not null default false,
  primary key (id, created_at),
  constraint requests_id foreign key (id, created_at) references request_ids (id, created_at) on delete cascade
) partition by range (created_at);
-- What listings never filter by, so that their rows are narrow. A mirrored request has none.
create table orders (
  request_id text primary key,
  trade_type text not null,
  input_amount numeric(78, 0) not null,
  minimum_output_amount numeric(78, 0) not null,
  expected_output_amount numeric(78, 0) not null,
  slippage_tolerance_bps integer not null,
  order_data jsonb not null,
  details jsonb not null,
  fees jsonb not null,
  app_fees jsonb not null,
  terms jsonb not null default '{}'::jsonb,
  constraint orders_request foreign key (request_id) references request_ids (id) on delete cascade
);
create table record_fields (
  request_id text primary key references request_ids (id) on delete cascade,
  fields jsonb not null
);
create table transitions (
  id bigserial primary key,
  request_id text not null references request_ids (id) on delete cascade,
  from_status text not null,
  to_status text not null,
  at timestamptz(3) not null,
  reason text
);
create index transitions_request on transitions (request_id, id);

create table transactions (
  id bigserial primary key,
  request_id text not null,
  purpose text not null,
  chain_id bigint not null,
  hash text not null,
  sender text not null,
  nonce bigint,
  signed text,
  status text not null,
  block_number bigint,
  block_timestamp bigint,
  fee numeric(78, 0),
  gas_used bigint,
  amount numeric(78, 0) not null,
  currency text not null,
  created_at timestamptz(3) not null,
  -- A deposit or refund has the index of its input, every other transaction 0.
  input_index integer not null default 0,
  -- A request has one fill, and one deposit and one refund per input, whichever process tries to write a second.
  constraint transactions_once unique (request_id, purpose, input_index),
  constraint transactions_nonce unique (chain_id, sender, nonce),
  constraint transactions_request foreign key (request_id) references request_ids (id) on delete cascade
);
create index transactions_hash on transactions (hash);
create index transactions_open on transactions (chain_id, nonce) where status = 'pending' and signed is not null;
create index transactions_block on transactions (chain_id, block_number);
create table attempts (
  hash text primary key,
  transaction_id bigint not null references transactions (id) on delete cascade,
  nonce bigint not null,
  signed text not null,
  is_cancellation boolean not null,
  created_at timestamptz(3) not null
);
create index attempts_transaction on attempts (transaction_id);
create table transaction_contents (
  transaction_id bigint primary key references transactions (id) on delete cascade,
  "to" text,
  input text not null,
  value numeric(78, 0) not null,
  state_changes jsonb not null
);

create table scans (
  chain_id bigint primary key,
  genesis_hash text not null,
  block_number bigint not null
);
create table scanned_blocks (
  chain_id bigint not null,
  block_number bigint not null,
  block_hash text not null,
  primary key (chain_id, block_number)
);
create table deposits (
  chain_id bigint not null,
  tx_hash text not null,
  position integer not null,
  order_id text not null,
  depositor text not null,
  currency text not null,
  amount numeric(78, 0) not null,
  block_number bigint not null,
  block_timestamp bigint not null,
  fee numeric(78, 0) not null,
  gas_used bigint not null,
  state text not null,
  request_id text references request_ids (id) on delete cascade,
  seen_at timestamptz(3) not null,
  reorged_at timestamptz(3),
  block_hash text,
  primary key (chain_id, tx_hash, position)
);
create index deposits_block on deposits (chain_id, block_number);
create index deposits_order on deposits (order_id);
create index deposits_request on deposits (request_id);
create index deposits_open on deposits (chain_id) where state <> 'taken';
create index deposits_lost on deposits (request_id) where state = 'lost';
create table announcements (
  request_id text primary key references request_ids (id) on delete cascade,
  chain_id bigint not null,
  tx_hash text not null,
  at timestamptz(3) not null
);
create table deposit_addresses (
  address text primary key,
  request_id text not null,
  request jsonb not null,
  watched_until timestamptz(3) not null
);
create index deposit_addresses_watched on deposit_addresses (watched_until, address);
create index deposit_addresses_request on deposit_addresses (request_id);

create table permits (
  request_id text primary key references request_ids (id) on delete cascade,
  permit jsonb not null,
  -- EIP-2612 messages of two requests can be the same.
  signature text unique
);
create table executions (
  request_id text primary key references request_ids (id) on delete cascade,
  api_key_hash text not null,
  call jsonb not null,
  is_sponsored boolean not null
);
create table fast_fills (
  request_id text primary key references request_ids (id) on delete cascade,
  api_key_hash text not null,
  input_amount numeric(78, 0) not null,
  max_fill_usd_e18 numeric(96, 0),
  state text not null check (state in ('queued', 'held', 'released', 'debited', 'failed')),
  held_usd_e18 numeric(96, 0) not null,
  created_at timestamptz(3) not null,
  debited_usd_e18 numeric(96, 0) not null default 0
);
create index fast_fills_held on fast_fills (api_key_hash) where state = 'held';
create table fill_holds (
  id bigserial primary key,
  conditions jsonb not null,
  created_at timestamptz(3) not null
);
create table held_fills (
  request_id text primary key references request_ids (id) on delete cascade,
  held_at timestamptz(3) not null,
  -- Null while it is held. A released request is not held again.
  released_at timestamptz(3)
);
create index held_fills_held on held_fills (held_at, request_id) where released_at is null;

create table api_keys (
  id text primary key,
  hash text not null unique,
  integrator text not null,
  label text not null,
  limits jsonb not null,
  created_at timestamptz(3) not null,
  revoked_at timestamptz(3)
);
create index api_keys_integrator on api_keys (integrator);
create table usage_counts (
  key_hash text not null,
  minute timestamptz(3) not null,
  endpoint text not null,
  status_code integer not null,
  -- Empty if there is none: null would not be unique.
  error_code text not null,
  count integer not null,
  constraint usage_counts_once primary key (key_hash, minute, endpoint, status_code, error_code)
);
create table sponsors (
  api_key_hash text primary key,
  balance_usd_e18 numeric(96, 0) not null
);
create table sponsor_payments (
  request_id text primary key,
  api_key_hash text not null references sponsors (api_key_hash),
  usd_e18 numeric(96, 0) not null
);
create index sponsor_payments_sponsor on sponsor_payments (api_key_hash);
create table revenue_shares (
  api_key_hash text primary key,
  is_business_verified boolean not null,
  wallet text,
  other_volume_usd numeric(96, 6) not null
);
-- Their transactions have the id of the claim.
create table app_fee_claims (
  id text primary key references request_ids (id),
  wallet text not null,
  recipient text not null,
  chain_id bigint not null,
  currency text not null,
  amount numeric(78, 0) not null,
  usd_e18 numeric(96, 0) not null,
  state text not null check (state in ('quoted', 'authorized', 'sent', 'failed')),
  created_at timestamptz(3) not null
);
create index app_fee_claims_wallet on app_fee_claims (wallet, created_at desc, id desc);
-- App fees of deleted requests, which their recipients can still claim.
create table past_app_fees (
  wallet text not null,
  chain_id bigint not null,
  currency text not null,
  amount numeric(78, 0) not null
);
create index past_app_fees_wallet on past_app_fees (wallet);

create table webhooks (
  key_hash text primary key references api_keys (hash),
  url text not null,
  header_names text[] not null,
  -- Events are signed with the key itself, so it is kept, encrypted, while there is a webhook.
  sealed text not null,
  created_at timestamptz(3) not null
);
create table webhook_events (
  id bigserial primary key,
  request_id text not null,
  key_hash text not null,
  status text not null,
  status_at timestamptz(3) not null,
  -- Written once, before the first attempt: each repetition sends the same.
  data jsonb,
  state text not null default 'pending',
  attempts integer not null default 0,
  answer_status integer,
  problem text,
  -- No other process may take the event before this time: an attempt is in progress, or the next one is not due.
  held_until timestamptz(3),
  finished_at timestamptz(3),
  swept_at timestamptz(3)
);
-- The oldest unfinished event of a request is delivered next.
create index webhook_events_pending on webhook_events (request_id, id) where state = 'pending';
create index webhook_events_state on webhook_events (state, id desc);
create index webhook_events_request on webhook_events (request_id, id desc);

create table scenarios (
  id bigserial primary key,
  name text not null,
  parameters jsonb not null,
  -- Null: until it is cleared.
  uses_left bigint,
  uses bigint not null default 0,
  created_at timestamptz(3) not null
);
create table request_faults (
  request_id text primary key,
  faults jsonb not null
);
create table restrictions (
  is_current boolean primary key check (is_current),
  restrictions jsonb not null
);
create table network_secrets (
  is_current boolean primary key,
  secret text not null
);
create table service_clock (
  id integer primary key,
  offset_ms bigint not null
);
create table ledger_entries (
  position bigint generated always as identity primary key,
  chain_id bigint not null,
  -- Keeps the order of fields, as in signed actions.
  entry json not null
);
create index ledger_entries_chain on ledger_entries (chain_id, position);

create table records (
  request_id text primary key references request_ids (id) on delete cascade,
  record jsonb not null
);
-- A record may have several transactions of one kind, where own requests have one.
create table record_transactions (
  request_id text not null references records (request_id) on delete cascade,
  purpose text not null,
  status text not null,
  hash text not null,
  constraint record_transactions_once primary key (request_id, purpose, hash)
);
create index record_transactions_hash on record_transactions (hash);
create table mirrors (
  source text not null,
  api_key_hash text not null,
  updated_to timestamptz(3) not null,
  constraint mirrors_once primary key (source, api_key_hash)
);
create view known_transactions as
  select request_id, purpose, status, hash from transactions
  union all
  select request_id, purpose, status, hash from record_transactions;

create table campaigns (
  id text primary key,
  selection jsonb not null,
  created_at timestamptz(3) not null,
  listed_at timestamptz(3)
);
create table campaign_items (
  campaign_id text not null references campaigns (id) on delete cascade,
  id text not null,
  -- Texts of chains and services may contain a character that jsonb does not allow.
  subject json not null,
  outcome text check (outcome in ('success', 'failure', 'error')),
  cause text,
  summary json,
  report json,
  finished_at timestamptz(3),
  constraint campaign_items_once primary key (campaign_id, id)
);
-- Counted repeatedly while a campaign runs.
create index campaign_items_outcome on campaign_items (campaign_id, outcome, cause)`;
