import { sql } from "kysely";

import type { Database } from "./store.ts";

/**
 * Creates the table for the month of a time, past or future, unless it exists: any process may have dropped it. In a
 * transaction, call it before any write, so that two transactions never wait for each other.
 */
export async function ensureMonth(db: Database, at: Date): Promise<void> {
  await sql`select ensure_requests_month(${at.toISOString()}::timestamptz)`.execute(db);
}
