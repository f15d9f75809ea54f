import type { JSONColumnType } from "kysely";

import type { RequestRecord } from "@crosscall/sdk/internal/protocol/request/requestRecord";
import type { TimeColumn } from "./columns.ts";
import type { TransactionPurpose } from "./transactionTables.ts";

/** A request of another service, as it told it. */
export interface RecordTable {
  readonly request_id: string;
  record: JSONColumnType<RequestRecord>;
}

/** A transaction that a record names. */
export interface RecordTransactionTable {
  readonly request_id: string;
  readonly purpose: TransactionPurpose;
  readonly status: "success" | "failure";
  readonly hash: string;
}

/** How far the listing of a key's requests at another service was followed. */
export interface MirrorTable {
  /** The service's base URL. */
  readonly source: string;
  readonly api_key_hash: string;
  /** Up to when every change is here. */
  updated_to: TimeColumn;
}
