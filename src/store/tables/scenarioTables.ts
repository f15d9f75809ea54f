import type { ColumnType, Generated, JSONColumnType } from "kysely";

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The faults that tests set up (`crosscall scenarios set`). */
export interface ScenarioTable {
  readonly id: Generated<number>;
  readonly name: string;
  readonly parameters: JSONColumnType<JsonObject, string, never>;
  /** How often it takes hold from here on; until it is cleared where null. */
  uses_left: number | null;
  /** How often it took hold. */
  uses: Generated<number>;
  readonly created_at: ColumnType<Date, Date, never>;
}

/** What goes wrong for a request, as its quote was given it. */
export interface RequestFaultsTable {
  readonly request_id: string;
  faults: JSONColumnType<JsonObject>;
}
