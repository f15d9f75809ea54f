import { sql } from "kysely";

import type { Database } from "./store.ts";
import type { RecordFields } from "./tables/recordTables.ts";

/** Other fields stay as they are. */
export async function setRecordFields(db: Database, requestId: string, fields: RecordFields): Promise<void> {
  await db
    .insertInto("record_fields")
    .values({ request_id: requestId, fields: JSON.stringify(fields) })
    .onConflict((conflict) =>
      conflict.column("request_id").doUpdateSet({
        fields: sql<string>`record_fields.fields || excluded.fields`,
      }),
    )
    .execute();
}
