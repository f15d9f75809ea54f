import { type ColumnType, type Generated, sql } from "kysely";

import { LEDGER_CHANNEL } from "./notices.ts";
import type { Database } from "./schema.ts";

export interface LedgerEntryTable {
  readonly position: Generated<number>;
  readonly chain_id: number;
  readonly entry: ColumnType<object, string, never>;
}

declare module "./schema.ts" {
  interface StoreSchema {
    ledger_entries: LedgerEntryTable;
  }
}

/** A change of a ledger. */
export interface StoredEntry {
  readonly position: number;
  readonly entry: object;
}

/** Waits until no other transaction changes the ledger of a chain. The lock ends with the transaction. */
export async function lockLedger(db: Database, chainId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('crosscall.ledger', ${chainId}::bigint))`.execute(db);
}

/** Lists the entries of a chain's ledger in order, starting at a position. */
export function listLedgerEntries(db: Database, chainId: number, from: number): Promise<StoredEntry[]> {
  return db
    .selectFrom("ledger_entries")
    .select(["position", "entry"])
    .where("chain_id", "=", chainId)
    .where("position", ">=", from)
    .orderBy("position")
    .execute();
}

/** @returns the position of the entry */
export async function addLedgerEntry(db: Database, chainId: number, entry: object): Promise<number> {
  const { position } = await db
    .insertInto("ledger_entries")
    .values({ chain_id: chainId, entry: JSON.stringify(entry) })
    .returning(["position", sql`pg_notify(${LEDGER_CHANNEL}, chain_id::text)`.as("notified")])
    .executeTakeFirstOrThrow();
  return position;
}
