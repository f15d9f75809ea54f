import type { ColumnType, Generated, JSONColumnType, Selectable } from "kysely";

import type { RequestStatus } from "@crosscall/sdk/internal/protocol/request/requestStatus";
import type { StatusUpdate } from "@crosscall/sdk/internal/protocol/complete";
import type { TimeColumn } from "./columns.ts";

/** Where the events of a key's requests go. */
export interface WebhookTable {
  readonly key_hash: string;
  readonly url: string;
  readonly header_names: string[];
  /** The key and the headers, sealed. */
  readonly sealed: string;
  readonly created_at: TimeColumn;
}

/** Whether an event was brought to its webhook: `undelivered` once no further attempt is made. */
export type WebhookEventState = "pending" | "delivered" | "undelivered";

/** An event for a webhook, written with the change that it tells of. */
export interface WebhookEventTable {
  readonly id: Generated<number>;
  readonly request_id: string;
  readonly key_hash: string;
  readonly status: RequestStatus;
  readonly status_at: TimeColumn;
  /** What it tells; null until the first attempt. */
  data: JSONColumnType<StatusUpdate | null, string | null>;
  state: Generated<WebhookEventState>;
  attempts: Generated<number>;
  /** The receiver's last answer, where there was one. */
  answer_status: number | null;
  /** Why the last attempt failed. */
  problem: string | null;
  held_until: ColumnType<Date | null, Date | null>;
  finished_at: ColumnType<Date | null, Date | null>;
}

/** A webhook as read. */
export type WebhookRow = Selectable<WebhookTable>;

/** An event of a webhook as read. */
export type WebhookEventRow = Selectable<WebhookEventTable>;
