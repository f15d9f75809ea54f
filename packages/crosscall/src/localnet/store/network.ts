import { type JSONColumnType, sql } from "kysely";

import { CLOCK_CHANNEL } from "./notices.ts";
import type { Database, JsonObject } from "./schema.ts";

export interface ClockTable {
  readonly id: number;
  /** Offset from the system time in milliseconds. */
  readonly offset_ms: number;
}

export interface NetworkSecretTable {
  /** Key of the only row, which is always true. */
  readonly is_current: boolean;
  readonly secret: string;
}

export interface RestrictionTable {
  /** Key of the only row, which is always true. */
  readonly is_current: boolean;
  restrictions: JSONColumnType<JsonObject>;
}

declare module "./schema.ts" {
  interface StoreSchema {
    service_clock: ClockTable;
    network_secrets: NetworkSecretTable;
    restrictions: RestrictionTable;
  }
}

const ROW = 1;

/** Returns the clock's offset in milliseconds, or undefined if the clock was never set. */
export async function readClockOffset(db: Database): Promise<number | undefined> {
  const row = await db.selectFrom("service_clock").select("offset_ms").executeTakeFirst();
  return row?.offset_ms;
}

export async function writeClockOffset(db: Database, offsetMs: number): Promise<void> {
  await db
    .with("written", (query) =>
      query
        .insertInto("service_clock")
        .values({ id: ROW, offset_ms: offsetMs })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ offset_ms: offsetMs }))
        .returning("id"),
    )
    .selectFrom("written")
    .select(sql`pg_notify(${CLOCK_CHANNEL}, '')`.as("notice"))
    .execute();
}

/**
 * Returns the secret of a database, which signs access tokens and encrypts webhooks. All processes on the database use
 * the same secret, even after a restart and in a copy. The secret does not depend on the admin key.
 *
 * @param random secret for a new database
 */
export async function readNetworkSecret(db: Database, random: string): Promise<string> {
  await db
    .insertInto("network_secrets")
    .values({ is_current: true, secret: random })
    .onConflict((conflict) => conflict.column("is_current").doNothing())
    .execute();
  const { secret } = await db.selectFrom("network_secrets").select("secret").executeTakeFirstOrThrow();
  return secret;
}

export async function findRestrictions(db: Database): Promise<JsonObject | undefined> {
  const row = await db.selectFrom("restrictions").select("restrictions").executeTakeFirst();
  return row?.restrictions;
}

export async function setRestrictions(db: Database, restrictions: JsonObject): Promise<void> {
  if (Object.keys(restrictions).length === 0) {
    await db.deleteFrom("restrictions").execute();
    return;
  }
  const text = JSON.stringify(restrictions);
  await db
    .insertInto("restrictions")
    .values({ is_current: true, restrictions: text })
    .onConflict((conflict) => conflict.column("is_current").doUpdateSet({ restrictions: text }))
    .execute();
}

/**
 * Runs work in at most one process on the database at a time. The contracts of a network have one deployer, so
 * concurrent deployments would use the same nonces.
 */
export function startAlone<Result>(db: Database, work: () => Promise<Result>): Promise<Result> {
  // Uses a transaction, because the server ends it and releases the lock if the process ends.
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('crosscall.start', 0))`.execute(transaction);
    return work();
  });
}
