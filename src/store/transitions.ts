import type { Selectable } from "kysely";

import type { TransitionTable } from "./tables/requestTables.ts";
import type { Database } from "./store.ts";

/** A step of a request as it was written down. */
export type TransitionRow = Selectable<TransitionTable>;

/** Every step of a request, in the order in which they were taken. */
export function listTransitions(db: Database, requestId: string): Promise<TransitionRow[]> {
  return db.selectFrom("transitions").selectAll().where("request_id", "=", requestId).orderBy("id").execute();
}
