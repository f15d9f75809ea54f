import { sql } from "kysely";

import type { Database } from "./store.ts";

/** Statuses of requests that have a deposit, or are about to, and no end yet. */
const UNFINISHED = ["depositing", "pending", "submitted"] as const;

/**
 * Drops the requests of months that lie further back than so many, with all that belongs to them. The present month
 * counts as the first. A month in which a request with a deposit has no end yet stays as it is; a quote that nobody
 * paid keeps none.
 *
 * @param months how many months are kept, at least one
 * @param now the service's time
 * @returns the tables that went
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

/** Drops a month, unless one of its requests is not over; tells whether it went. */
function dropMonth(db: Database, table: string): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const month = sql.table(table);
    // The same lock as that under which months are made. What is dropped may not be written to meanwhile.
    await sql`select pg_advisory_xact_lock(hashtextextended('crosscall.requests_month', 0))`.execute(transaction);
    const { rows: there } = await sql`select where to_regclass(${table}::text) is not null`.execute(transaction);
    if (there.length === 0) return false;
    await sql`lock table ${month} in access exclusive mode`.execute(transaction);
    const { rows: open } = await sql`
      select from ${month} where status in (${sql.join(UNFINISHED)}) limit 1`.execute(transaction);
    if (open.length > 0) return false;
    // Ids first, and by them what belongs to the requests: the month itself goes as a whole.
    await sql`alter table requests detach partition ${month}`.execute(transaction);
    await sql`delete from webhook_events using ${month} as gone where webhook_events.request_id = gone.id`.execute(
      transaction,
    );
    await sql`delete from request_ids using ${month} as gone where request_ids.id = gone.id`.execute(transaction);
    await sql`drop table ${month}`.execute(transaction);
    return true;
  });
}
