import type { Selectable } from "kysely";

import type { TransitionTable } from "./tables/requestTables.ts";
import type { Database } from "./store.ts";

export type TransitionRow = Selectable<TransitionTable>;

export function listTransitions(db: Database, requestId: string): Promise<TransitionRow[]> {
  return db.selectFrom("transitions").selectAll().where("request_id", "=", requestId).orderBy("id").execute();
}
