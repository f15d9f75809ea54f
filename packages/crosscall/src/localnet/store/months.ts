import { sql } from "kysely";

import type { Database } from "./store.ts";

/**
 * Creates the month's table if it does not exist; any process may have dropped it. Call it before the first write of a
 * transaction, so that two transactions never wait for each other.
 */
export async function ensureMonth(db: Database, at: Date): Promise<void> {
  await sql`select ensure_requests_month(${at.toISOString()}::timestamptz)`.execute(db);
}
