import { sql } from "kysely";

import { keepAppFees } from "../appFees.ts";
import type { Database } from "../schema.ts";

/**
 * Creates the month's table if it does not exist, because any process can drop it. Call it before the first write of a
 * transaction, so that transactions do not deadlock.
 */
export async function ensureMonth(db: Database, at: Date): Promise<void> {
  await sql`select ensure_requests_month(${at.toISOString()}::timestamptz)`.execute(db);
}

const UNFINISHED = ["depositing", "pending", "submitted"] as const;

/**
 * Deletes the requests of months before the last `months`, which include the current month. Keeps a month while it has
 * an unfinished request with a deposit, or a fast fill without its deposit. App fees stay claimable.
 *
 * @returns the dropped tables
 */
export async function dropOldMonths(db: Database, months: number, now: Date): Promise<string[]> {
  const firstKept = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months + 1));
  const { rows } = await sql<{ table: string }>`
    select relname as table from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'requests'::regclass
      and relname < ${`requests_${firstKept.toISOString().slice(0, 7).replace("-", "_")}`}::text
    order by relname`.execute(db);
  const dropped: string[] = [];
  for (const { table } of rows) {
    if (await dropMonth(db, table)) dropped.push(table);
  }
  return dropped;
}

function dropMonth(db: Database, table: string): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const month = sql.table(table);
    // Uses the lock for creating months. No rows can be written to the month meanwhile.
    await sql`select pg_advisory_xact_lock(hashtextextended('crosscall.requests_month', 0))`.execute(transaction);
    const { rows: there } = await sql`select where to_regclass(${table}::text) is not null`.execute(transaction);
    if (there.length === 0) return false;
    await sql`lock table ${month} in access exclusive mode`.execute(transaction);
    const { rows: open } = await sql`
      select from ${month} as request where status in (${sql.join(UNFINISHED)})
        or exists (select from fast_fills where request_id = request.id and state = 'held') limit 1`.execute(
      transaction,
    );
    if (open.length > 0) return false;
    await keepAppFees(transaction, table);
    // Deletes the ids and everything that belongs to the requests first, then the whole month.
    await sql`alter table requests detach partition ${month}`.execute(transaction);
    await sql`delete from webhook_events using ${month} as gone where webhook_events.request_id = gone.id`.execute(
      transaction,
    );
    await sql`delete from deposit_addresses using ${month} as gone where deposit_addresses.request_id = gone.id`.execute(
      transaction,
    );
    await sql`delete from request_ids using ${month} as gone where request_ids.id = gone.id`.execute(transaction);
    await sql`drop table ${month}`.execute(transaction);
    return true;
  });
}
