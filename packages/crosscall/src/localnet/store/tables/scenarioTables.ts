import type { ColumnType, Generated, JSONColumnType } from "kysely";

export type JsonObject = Readonly<Record<string, unknown>>;

export interface ScenarioTable {
  readonly id: Generated<number>;
  readonly name: string;
  readonly parameters: JSONColumnType<JsonObject, string, never>;
  /** Remaining uses; null until it is cleared. */
  uses_left: number | null;
  uses: Generated<number>;
  readonly created_at: ColumnType<Date, Date, never>;
}

export interface RequestFaultsTable {
  readonly request_id: string;
  faults: JSONColumnType<JsonObject>;
}
