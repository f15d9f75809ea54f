import type { ColumnType, JSONColumnType } from "kysely";

import type { TimeColumn } from "./columns.ts";

export interface CampaignTable {
  readonly id: string;
  readonly selection: JSONColumnType<object>;
  readonly created_at: TimeColumn;
  /** When all of its fills were known. */
  listed_at: ColumnType<Date | null, Date | null, Date | null>;
}

/** `error`: it could not be replayed. */
export type CampaignOutcome = "success" | "failure" | "error";

export interface CampaignItemTable {
  readonly campaign_id: string;
  readonly id: string;
  readonly subject: JSONColumnType<object>;
  /** Null until replayed. */
  outcome: CampaignOutcome | null;
  /** The `failReason` of a failure, or the code of an error. */
  cause: string | null;
  /** Null until replayed. */
  summary: ColumnType<object | null, string | null, string | null>;
  /** Null until replayed, and if it could not be. */
  report: ColumnType<object | null, string | null, string | null>;
  finished_at: ColumnType<Date | null, Date | null, Date | null>;
}
