import { type Kysely, sql } from "kysely";

import type { JobQueues } from "./jobs.ts";
import type { StoreSchema } from "./schema.ts";

const CLOCK_CHANNEL = "service_clock";

const ROW = 1;

/** In milliseconds; undefined if the clock was never set. */
export async function readClockOffset(db: Kysely<StoreSchema>): Promise<number | undefined> {
  const row = await db.selectFrom("service_clock").select("offset_ms").executeTakeFirst();
  return row?.offset_ms;
}

export async function writeClockOffset(db: Kysely<StoreSchema>, offsetMs: number): Promise<void> {
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

/** The listener is called at once, and after each change of any process. */
export async function listenToClock(
  queues: Pick<JobQueues, "listen">,
  listener: () => void,
): Promise<{ stop(): Promise<void> }> {
  const handle = await queues.listen(CLOCK_CHANNEL, listener, listener);
  return { stop: () => handle.close() };
}
