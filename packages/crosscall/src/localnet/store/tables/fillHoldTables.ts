import type { Generated, JSONColumnType } from "kysely";

import type { FieldCondition } from "../requestFilter.ts";
import type { TimeColumn } from "./columns.ts";

export interface FillHoldTable {
  readonly id: Generated<number>;
  /** All must hold; none matches every request. */
  readonly conditions: JSONColumnType<FieldCondition[], string, never>;
  readonly created_at: TimeColumn;
}

export interface HeldFillTable {
  readonly request_id: string;
  readonly held_at: TimeColumn;
  /** Null while it is held. */
  released_at: TimeColumn | null;
}
