import type { ColumnType, JSONColumnType } from "kysely";

import type { TimeColumn } from "./columns.ts";

/** Many fills to be replayed. */
export interface CampaignTable {
  readonly id: string;
  /** What its fills are: how they were chosen. */
  readonly selection: JSONColumnType<object>;
  readonly created_at: TimeColumn;
  /** When all of its fills were known; null until then. */
  listed_at: ColumnType<Date | null, Date | null, Date | null>;
}

/** How a replay of a campaign came out: the fill works, it fails, or it could not be replayed. */
export type CampaignOutcome = "success" | "failure" | "error";

/** A fill of a campaign. */
export interface CampaignItemTable {
  readonly campaign_id: string;
  /** The request's id, or the plan's name. */
  readonly id: string;
  /** What is to be replayed: the request's record, or the plan. */
  readonly subject: JSONColumnType<object>;
  /** Null until it was replayed. */
  outcome: CampaignOutcome | null;
  /** The `failReason` of a failure, the code of an error. */
  cause: string | null;
  /** What a summary says of it; null until it was replayed. */
  summary: ColumnType<object | null, string | null, string | null>;
  /** The whole report; null until it was replayed, and where it could not be. */
  report: ColumnType<object | null, string | null, string | null>;
  finished_at: ColumnType<Date | null, Date | null, Date | null>;
}
