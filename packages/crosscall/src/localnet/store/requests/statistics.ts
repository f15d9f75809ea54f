import { sql } from "kysely";

import type { FailReason, RequestStatus } from "@crosscall/protocol/request";
import type { Database } from "../schema.ts";

export interface Purchases {
  readonly chainId: number;
  readonly currency: string;
  readonly count: number;
  readonly volumeUsd: number;
}

/** Returns the currencies that successful requests have delivered since a time. */
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

export interface RequestCount {
  readonly status: RequestStatus;
  readonly failReason: FailReason | null;
  readonly count: number;
}

/** Reads all requests. */
export async function countRequestsByOutcome(db: Database): Promise<RequestCount[]> {
  const rows = await db
    .selectFrom("requests")
    .select(["status", "fail_reason", ({ fn }) => fn.countAll<string | number>().as("count")])
    .groupBy(["status", "fail_reason"])
    .execute();
  return rows.map(({ status, fail_reason, count }) => ({ status, failReason: fail_reason, count: Number(count) }));
}

/** Returns whether a request paid the account or was paid by it on this chain. */
export async function isActiveAccount(db: Database, chainId: number, account: string): Promise<boolean> {
  const row = await db
    .selectFrom("requests")
    .select("id")
    .where("status", "=", "success")
    .where((request) =>
      request.or([
        request("destination_chain_id", "=", chainId).and(sql`lower(recipient)`, "=", account.toLowerCase()),
        request("origin_chain_id", "=", chainId).and(sql`lower("user")`, "=", account.toLowerCase()),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
