import { sql } from "kysely";

import type { Database } from "./store.ts";

export interface Purchases {
  readonly chainId: number;
  readonly currency: string;
  readonly count: number;
  readonly volumeUsd: number;
}

/** The currencies that successful requests delivered since then. */
export async function countPurchases(db: Database, since: Date): Promise<Purchases[]> {
  return db
    .selectFrom("requests")
    .select([
      "destination_chain_id as chainId",
      "destination_currency as currency",
      sql<number>`count(*)::int`.as("count"),
      sql<number>`sum(amount_usd)::float8`.as("volumeUsd"),
    ])
    .where("status", "=", "success")
    .where("created_at", ">=", since)
    .groupBy(["destination_chain_id", "destination_currency"])
    .execute();
}
