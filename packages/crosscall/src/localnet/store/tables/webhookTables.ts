import type { ColumnType, Generated, JSONColumnType, Selectable } from "kysely";

import type { RequestStatus } from "@crosscall/protocol/request";
import type { StatusUpdate } from "@crosscall/protocol/complete";
import type { TimeColumn } from "./columns.ts";

export interface WebhookTable {
  readonly key_hash: string;
  readonly url: string;
  readonly header_names: string[];
  /** The key and the headers, encrypted. */
  readonly sealed: string;
  readonly created_at: TimeColumn;
}

/** `undelivered` after the last attempt. */
export type WebhookEventState = "pending" | "delivered" | "undelivered";

/** Written together with the status change. */
export interface WebhookEventTable {
  readonly id: Generated<number>;
  readonly request_id: string;
  readonly key_hash: string;
  readonly status: RequestStatus;
  readonly status_at: TimeColumn;
  /** Null until the first attempt. */
  data: JSONColumnType<StatusUpdate | null, string | null>;
  state: Generated<WebhookEventState>;
  attempts: Generated<number>;
  answer_status: number | null;
  problem: string | null;
  held_until: ColumnType<Date | null, Date | null>;
  finished_at: ColumnType<Date | null, Date | null>;
  /** When a job was added for an event without one. */
  swept_at: ColumnType<Date | null, Date | null>;
}

export type WebhookRow = Selectable<WebhookTable>;

export type WebhookEventRow = Selectable<WebhookEventTable>;
