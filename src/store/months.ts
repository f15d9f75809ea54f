import { sql } from "kysely";

import type { Database } from "./store.ts";

/**
 * Sees to it that the month of a time has its table, past or to come: any process may have dropped it. In a transaction
 * it stands before all that is written there, so that two of them never wait for each other.
 */
export async function ensureMonth(db: Database, at: Date): Promise<void> {
  await sql`select ensure_requests_month(${at.toISOString()}::timestamptz)`.execute(db);
}
