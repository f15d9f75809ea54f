import { type Selectable, sql } from "kysely";

import type { Database, UsdColumn } from "./schema.ts";

export interface RevenueShareTable {
  readonly api_key_hash: string;
  is_business_verified: boolean;
  /** Receives the share. */
  wallet: string | null;
  /** Volume in the last 30 days, in addition to the requests of this network. */
  other_volume_usd: UsdColumn;
}

declare module "./schema.ts" {
  interface StoreSchema {
    revenue_shares: RevenueShareTable;
  }
}

/** An integrator's share of a quote's platform fee. */
export interface StoredRevenueShare {
  readonly wallet: string;
  /** Share in basis points of the platform fee, as a decimal. */
  readonly shareBps: string;
}

export type RevenueShareRow = Selectable<RevenueShareTable>;

export function findRevenueShareTerms(db: Database, apiKeyHash: string): Promise<RevenueShareRow | undefined> {
  return db.selectFrom("revenue_shares").selectAll().where("api_key_hash", "=", apiKeyHash).executeTakeFirst();
}

export async function setRevenueShareTerms(db: Database, row: RevenueShareRow): Promise<void> {
  const { api_key_hash: _, ...terms } = row;
  await db
    .insertInto("revenue_shares")
    .values(row)
    .onConflict((conflict) => conflict.column("api_key_hash").doUpdateSet(terms))
    .execute();
}

/** Returns the input value of filled requests since a time by all keys of the same integrator, in US dollars. */
export async function sumVolume(db: Database, apiKeyHash: string, since: Date): Promise<string> {
  const row = await db
    .selectFrom("requests")
    .select(sql<string>`coalesce(sum(amount_usd), 0)::text`.as("usd"))
    .where("status", "=", "success")
    .where("created_at", ">=", since)
    .where("api_key_hash", "in", (keys) =>
      keys
        .selectFrom("api_keys")
        .select("hash")
        .where("integrator", "=", (own) =>
          own.selectFrom("api_keys as own").select("own.integrator").where("own.hash", "=", apiKeyHash),
        ),
    )
    .executeTakeFirstOrThrow();
  return row.usd;
}

/** Returns the revenue of a key from filled requests, in US dollars, scaled by 10^18 and rounded down per request. */
export async function sumRevenueShare(db: Database, apiKeyHash: string): Promise<bigint> {
  const row = await db
    .selectFrom("requests")
    .innerJoin("orders", "orders.request_id", "requests.id")
    .select(
      sql<string>`coalesce(sum(div(
        (orders.fees ->> 'platform')::numeric * (orders.fees -> 'revenueShare' ->> 'shareBps')::numeric, 10000
      )), 0)::text`.as("usd_e18"),
    )
    .where("requests.status", "=", "success")
    .where("requests.api_key_hash", "=", apiKeyHash)
    .executeTakeFirstOrThrow();
  return BigInt(row.usd_e18);
}
