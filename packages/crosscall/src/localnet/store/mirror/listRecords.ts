import { sql } from "kysely";

import type { RequestRecord } from "@crosscall/protocol/request/records";
import { orderToSql, type RequestPage, selectPage } from "../listRequests.ts";
import { requireTimely } from "../queryTooExpensive.ts";
import type { RequestRow } from "../tables/requestTables.ts";
import type { Database } from "../store.ts";

export type RecordRow = Pick<RequestRow, "id" | "api_key_hash" | "created_at" | "updated_at" | "amount_usd"> & {
  readonly record: RequestRecord;
};

export async function listRecords(db: Database, page: RequestPage): Promise<RecordRow[]> {
  return requireTimely(async () => {
    const { rows } = await sql<RecordRow>`
      select requests.id, api_key_hash, created_at, updated_at, amount_usd, record
      from ${await selectPage(db, page)} as requests
      join records on records.request_id = requests.id ${orderToSql(page)}`.execute(db);
    return rows;
  });
}
