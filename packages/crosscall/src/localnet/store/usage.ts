import { sql } from "kysely";

import type { Database, TimeColumn } from "./schema.ts";

export interface UsageCountTable {
  readonly key_hash: string;
  readonly minute: TimeColumn;
  readonly endpoint: string;
  readonly status_code: number;
  /** Error code; empty if there is none. */
  readonly error_code: string;
  count: number;
}

declare module "./schema.ts" {
  interface StoreSchema {
    usage_counts: UsageCountTable;
  }
}

export const GRANULARITIES = ["minutely", "hourly", "daily"] as const;

export type Granularity = (typeof GRANULARITIES)[number];

const UNITS: Readonly<Record<Granularity, string>> = { minutely: "minute", hourly: "hour", daily: "day" };

export interface UsageCount {
  readonly keyHash: string;
  /** Start of the minute or, in a result, of the period. */
  readonly at: Date;
  readonly endpoint: string;
  readonly statusCode: number;
  /** Error code; empty if there is none. */
  readonly errorCode: string;
  readonly count: number;
}

/** Number of rows per statement. */
const BATCH = 1_000;

/** Adds to the counts of other processes. */
export async function addUsage(db: Database, counts: readonly UsageCount[]): Promise<void> {
  const rows = counts.map(({ keyHash, at, endpoint, statusCode, errorCode, count }) => ({
    key_hash: keyHash,
    minute: at,
    endpoint,
    status_code: statusCode,
    error_code: errorCode,
    count,
  }));
  for (let start = 0; start < rows.length; start += BATCH) {
    await db
      .insertInto("usage_counts")
      .values(rows.slice(start, start + BATCH))
      .onConflict((conflict) =>
        conflict
          .constraint("usage_counts_once")
          .doUpdateSet({ count: sql<number>`usage_counts.count + excluded.count` }),
      )
      .execute();
  }
}

export interface UsageQuery {
  readonly keyHashes: readonly string[];
  readonly granularity: Granularity;
  readonly from: Date;
  /** Inclusive. */
  readonly to: Date;
}

/** Reads counts per UTC period, in chronological order. */
export async function listUsage(db: Database, { keyHashes, granularity, from, to }: UsageQuery): Promise<UsageCount[]> {
  const at = sql<Date>`date_trunc(${sql.lit(UNITS[granularity])}, minute, 'UTC')`;
  return db
    .selectFrom("usage_counts")
    .select([
      "key_hash as keyHash",
      at.as("at"),
      "endpoint",
      "status_code as statusCode",
      "error_code as errorCode",
      sql<number>`sum(count)::int`.as("count"),
    ])
    .where("key_hash", "in", keyHashes)
    .where("minute", ">=", from)
    .where("minute", "<=", to)
    .groupBy(["key_hash", at, "endpoint", "status_code", "error_code"])
    .orderBy(at)
    .orderBy("endpoint")
    .orderBy("status_code")
    .orderBy("error_code")
    .execute();
}

export async function dropUsage(db: Database, before: Date): Promise<void> {
  await db.deleteFrom("usage_counts").where("minute", "<", before).execute();
}
