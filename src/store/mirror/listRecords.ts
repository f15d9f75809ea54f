import type { RequestRecord } from "../../protocol/requestRecord.ts";
import { orderOf, type RequestPage, selectPage } from "../listRequests.ts";
import type { RequestRow } from "../schema.ts";
import type { Database } from "../store.ts";

/** A mirrored request as listed: what pages and rights go by, and the record as the service told it. */
export type RecordRow = Pick<RequestRow, "id" | "api_key_hash" | "created_at" | "updated_at" | "amount_usd"> & {
  readonly record: RequestRecord;
};

/** One page of mirrored requests; see `listRequests` for what pages guarantee. */
export function listRecords(db: Database, page: RequestPage): Promise<RecordRow[]> {
  const [column, direction] = orderOf(page);
  return db
    .selectFrom(selectPage(db, page).as("requests"))
    .innerJoin("records", "records.request_id", "requests.id")
    .select(["requests.id", "api_key_hash", "created_at", "updated_at", "amount_usd", "record"])
    .orderBy(column, direction)
    .orderBy("requests.id", direction)
    .execute();
}
