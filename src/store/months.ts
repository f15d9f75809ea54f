import { sql } from "kysely";

import type { Database } from "./store.ts";

/** The months that a handle has seen to be there. */
const seen = new WeakMap<Database, Set<string>>();

/**
 * Sees to it that the month of a time has its table, past or to come; costs nothing where this handle has asked before.
 * In a transaction it stands before all that is written there, so that two of them never wait for each other.
 */
export async function ensureMonth(db: Database, at: Date): Promise<void> {
  const months = seen.get(db) ?? new Set();
  seen.set(db, months);
  const month = at.toISOString().slice(0, "2026-11".length);
  if (months.has(month)) return;
  await sql`select ensure_requests_month(${at.toISOString()}::timestamptz)`.execute(db);
  months.add(month);
}
