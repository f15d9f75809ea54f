import type { JSONColumnType } from "kysely";

import type { RequestRecord } from "@crosscall/protocol/request/records";
import type { TimeColumn } from "./columns.ts";
import type { TransactionPurpose } from "./transactionTables.ts";

export interface RecordTable {
  readonly request_id: string;
  record: JSONColumnType<RequestRecord>;
}

export interface RecordTransactionTable {
  readonly request_id: string;
  readonly purpose: TransactionPurpose;
  readonly status: "success" | "failure";
  readonly hash: string;
}

export interface MirrorTable {
  readonly source: string;
  readonly api_key_hash: string;
  /** Every change up to this time is in the database. */
  updated_to: TimeColumn;
}
