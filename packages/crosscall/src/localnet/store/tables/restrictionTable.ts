import type { JSONColumnType } from "kysely";

import type { JsonObject } from "./scenarioTables.ts";

export interface RestrictionTable {
  /** True: there is only one row. */
  readonly is_current: boolean;
  restrictions: JSONColumnType<JsonObject>;
}
