import { sql } from "kysely";

import type { Database } from "./store.ts";

/** Deleting in batches keeps deliveries from waiting. */
const BATCH = 5_000;

/**
 * Events that could not be delivered stay, and are deleted with their request.
 *
 * @param days by the database's clock, at least 1
 */
export async function dropDeliveredEvents(db: Database, days: number): Promise<number> {
  for (let count = 0; ;) {
    const { numDeletedRows } = await db
      .deleteFrom("webhook_events")
      .where("id", "in", (old) =>
        old
          .selectFrom("webhook_events as old")
          .select("old.id")
          .where("old.state", "=", "delivered")
          .where("old.finished_at", "<", sql<Date>`now() - ${days}::integer * interval '1 day'`)
          // Uses the index of states.
          .orderBy("old.id")
          .limit(BATCH),
      )
      .executeTakeFirst();
    count += Number(numDeletedRows);
    if (numDeletedRows < BigInt(BATCH)) return count;
  }
}
