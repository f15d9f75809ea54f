import type { JSONColumnType } from "kysely";

import type { JsonObject } from "./scenarioTables.ts";

/** What is not quoted for now. */
export interface RestrictionTable {
  /** True: there is one row. */
  readonly is_current: boolean;
  restrictions: JSONColumnType<JsonObject>;
}
