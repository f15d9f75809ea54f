import { type JSONColumnType, type RawBuilder, type Selectable, sql, type SqlBool } from "kysely";

import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import type { Database, TimeColumn } from "./schema.ts";

export interface DepositAddressTable {
  /** In lower case. */
  readonly address: string;
  /** Id of the request that the first payment belongs to. */
  readonly request_id: string;
  /** Quote request, which is stored so that another amount can be quoted. */
  readonly request: JSONColumnType<QuoteRequest, string, never>;
  /** End of the watch, on the service's clock. */
  watched_until: TimeColumn;
}

declare module "./schema.ts" {
  interface StoreSchema {
    deposit_addresses: DepositAddressTable;
  }
}

export type DepositAddressRow = Selectable<DepositAddressTable>;

export async function insertDepositAddress(
  db: Database,
  row: {
    readonly address: string;
    readonly requestId: string;
    readonly request: QuoteRequest;
    readonly watchedUntil: Date;
  },
): Promise<void> {
  const { address, requestId, request, watchedUntil } = row;
  await db
    .insertInto("deposit_addresses")
    .values({
      address: address.toLowerCase(),
      request_id: requestId,
      request: JSON.stringify(request),
      watched_until: watchedUntil,
    })
    .execute();
}

/**
 * Reads a page of the watched addresses, the most recently quoted, paid or reindexed first.
 *
 * @param after the last address of the previous page; the first page by default
 */
export function listWatchedAddresses(
  db: Database,
  { now, after, limit }: { readonly now: Date; readonly after?: DepositAddressRow | undefined; readonly limit: number },
): Promise<DepositAddressRow[]> {
  let select = db.selectFrom("deposit_addresses").selectAll().where("watched_until", ">", now);
  if (after !== undefined) {
    select = select.where(
      sql<SqlBool>`(watched_until, address) < (${after.watched_until}::timestamptz, ${after.address}::text)`,
    );
  }
  return select.orderBy("watched_until", "desc").orderBy("address", "desc").limit(limit).execute();
}

/** Returns the given addresses that are watched. */
export function findWatchedAddresses(
  db: Database,
  addresses: readonly string[],
  now: Date,
): Promise<DepositAddressRow[]> {
  return db
    .selectFrom("deposit_addresses")
    .selectAll()
    .where(sql<SqlBool>`deposit_addresses.address in (select address from ${listed(addresses)})`)
    .where("watched_until", ">", now)
    .execute();
}

export async function watchDepositAddress(db: Database, address: string, until: Date): Promise<void> {
  await db.updateTable("deposit_addresses").set({ watched_until: until }).where("address", "=", address).execute();
}

export function findDepositAddress(db: Database, address: string): Promise<DepositAddressRow | undefined> {
  return db.selectFrom("deposit_addresses").selectAll().where("address", "=", address.toLowerCase()).executeTakeFirst();
}

export function findDepositAddressOf(db: Database, requestId: string): Promise<DepositAddressRow | undefined> {
  return db
    .selectFrom("deposit_addresses")
    .selectAll()
    .where("request_id", "=", requestId.toLowerCase())
    .executeTakeFirst();
}

/** Prevents other processes from processing payments to this address until the database transaction ends. */
export async function lockDepositAddress(db: Database, address: string): Promise<void> {
  await db.selectFrom("deposit_addresses").select("address").where("address", "=", address).forUpdate().execute();
}

/** Returns the given addresses with a last payment that is not deposited yet. */
export async function findAddressesInSweep(
  db: Database,
  chainId: number,
  addresses: readonly string[],
): Promise<Set<string>> {
  // Uses scalar subqueries, because PostgreSQL plans joins as if many requests had the same address.
  const { rows } = await sql<{ address: string }>`
    select address from ${listed(addresses)} where (
      select bool_or((
        select true from transactions where request_id = requests.id and purpose = 'payment' and chain_id = ${chainId}))
      from requests where lower(deposit_address) = address and deposit_address is not null
        and status in ('waiting', 'depositing'))
    union all
    -- Until all of these are recorded, the balance may include new payments.
    select lower(deposit_address) from transactions join requests on requests.id = transactions.request_id
    where transactions.chain_id = ${chainId} and transactions.status = 'pending' and signed is not null
      and purpose in ('funding', 'sweepApproval', 'sweep')
      and lower(deposit_address) in (select address from ${listed(addresses)})`.execute(db);
  return new Set(rows.map(({ address }) => address));
}

/** Reads the solver's unused gas money in wei, by address. This money is not a user's payment. */
export async function findGasLeft(
  db: Database,
  chainId: number,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<{ address: string; left: string }>`
    select address, coalesce((
      select sum((
        select sum(case when purpose = 'funding' then amount else -fee end) from transactions
        where request_id = requests.id and chain_id = ${chainId}
          and purpose in ('funding', 'sweepApproval', 'sweep') and status <> 'pending'))
      from requests where lower(deposit_address) = address and deposit_address is not null), 0) as left
    from ${listed(addresses)}`.execute(db);
  return new Map(rows.map(({ address, left }) => [address, BigInt(left)]));
}

/**
 * Returns a list of addresses as one parameter, so that the statement's text does not depend on the number of
 * addresses.
 */
function listed(addresses: readonly string[]): RawBuilder<unknown> {
  return sql`unnest(${addresses.map((address) => address.toLowerCase())}::text[]) as address`;
}
