import { sql } from "kysely";

import type { Database } from "./store.ts";

/** How many are deleted at once: what is delivered meanwhile waits for none of it. */
const BATCH = 5_000;

/**
 * Drops the events of webhooks that were delivered so many days ago. What could not be delivered stays, to be looked at,
 * and goes with its request.
 *
 * @param days how many days a delivered event is kept, at least one, by the database's clock
 * @returns how many events went
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
          // By the index of states.
          .orderBy("old.id")
          .limit(BATCH),
      )
      .executeTakeFirst();
    count += Number(numDeletedRows);
    if (numDeletedRows < BigInt(BATCH)) return count;
  }
}
