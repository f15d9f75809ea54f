import { sql } from "kysely";

import type { Database } from "./store.ts";

/**
 * Runs work while no other process on the database runs its own. The contracts of a network have one deployer, so two
 * processes that deploy them at the same time would take the same nonces.
 */
export function startAlone<Result>(db: Database, work: () => Promise<Result>): Promise<Result> {
  // If the process ends, the server ends the transaction.
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('crosscall.start', 0))`.execute(transaction);
    return work();
  });
}
