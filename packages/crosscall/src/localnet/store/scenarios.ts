import { type ColumnType, type Generated, type JSONColumnType, type Selectable, sql } from "kysely";

import { SCENARIO_CHANNEL } from "./notices.ts";
import type { Database, JsonObject } from "./schema.ts";

export interface ScenarioTable {
  readonly id: Generated<number>;
  readonly name: string;
  readonly parameters: JSONColumnType<JsonObject, string, never>;
  /** Remaining uses; null if unlimited until cleared. */
  uses_left: number | null;
  uses: Generated<number>;
  readonly created_at: ColumnType<Date, Date, never>;
}

export interface RequestFaultsTable {
  readonly request_id: string;
  faults: JSONColumnType<JsonObject>;
}

declare module "./schema.ts" {
  interface StoreSchema {
    scenarios: ScenarioTable;
    request_faults: RequestFaultsTable;
  }
}

export type ScenarioRow = Selectable<ScenarioTable>;

export interface NewScenario {
  readonly name: string;
  readonly parameters: JsonObject;
  /** Remaining uses; null for unlimited uses until cleared. */
  readonly usesLeft: number | null;
  readonly at: Date;
}

export function insertScenario(db: Database, { name, parameters, usesLeft, at }: NewScenario): Promise<ScenarioRow> {
  return db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom("scenarios").where("uses_left", "=", 0).execute();
    const row = await transaction
      .insertInto("scenarios")
      .values({ name, parameters: JSON.stringify(parameters), uses_left: usesLeft, created_at: at })
      .returningAll()
      .executeTakeFirstOrThrow();
    await notifyChange(transaction);
    return row;
  });
}

async function notifyChange(db: Database): Promise<void> {
  await sql`select pg_notify(${SCENARIO_CHANNEL}, '')`.execute(db);
}

export function listScenarios(db: Database): Promise<ScenarioRow[]> {
  return db
    .selectFrom("scenarios")
    .selectAll()
    .where((where) => where.or([where("uses_left", "is", null), where("uses_left", ">", 0)]))
    .orderBy("id")
    .execute();
}

/**
 * Takes one use of a scenario. Concurrent callers in all processes get separate uses.
 *
 * @returns the number of the use, starting at 0; undefined if no use is left
 */
export async function takeScenario(db: Database, id: number): Promise<number | undefined> {
  const row = await db
    .updateTable("scenarios")
    .set((set) => ({ uses: set("uses", "+", 1), uses_left: set("uses_left", "-", 1) }))
    .where("id", "=", id)
    .where((where) => where.or([where("uses_left", "is", null), where("uses_left", ">", 0)]))
    .returning("uses")
    .executeTakeFirst();
  return row === undefined ? undefined : row.uses - 1;
}

/**
 * @param names scenarios to clear; all by default
 *
 * @returns the cleared scenarios, in the order in which they were set
 */
export async function deleteScenarios(db: Database, names?: readonly string[]): Promise<ScenarioRow[]> {
  const rows = await db.transaction().execute(async (transaction) => {
    let query = transaction.deleteFrom("scenarios");
    if (names !== undefined) query = query.where("name", "in", names);
    const deleted = await query.returningAll().execute();
    await notifyChange(transaction);
    return deleted;
  });
  return rows
    .filter(({ uses_left: usesLeft }) => usesLeft === null || usesLeft > 0)
    .toSorted((left, right) => left.id - right.id);
}

/** Adds scenarios to a request. Keeps the request's existing scenarios, except those with the same name. */
export async function addRequestFaults(db: Database, requestId: string, faults: JsonObject): Promise<void> {
  await db
    .insertInto("request_faults")
    .values({ request_id: requestId, faults: JSON.stringify(faults) })
    .onConflict((conflict) =>
      conflict.column("request_id").doUpdateSet({ faults: sql`request_faults.faults || excluded.faults` }),
    )
    .execute();
}

export async function findRequestFaults(db: Database, requestId: string): Promise<JsonObject | undefined> {
  const row = await db
    .selectFrom("request_faults")
    .select("faults")
    .where("request_id", "=", requestId)
    .executeTakeFirst();
  return row?.faults;
}

export async function releaseRequests(db: Database): Promise<void> {
  await sql`update request_faults set faults = faults - 'isHeld' where faults ? 'isHeld'`.execute(db);
}

/** @returns the block for which a reorg was already recorded; undefined for the only caller that performs the reorg */
export async function noteReorg(db: Database, requestId: string, block: number): Promise<number | undefined> {
  const noted = await db
    .updateTable("request_faults")
    .set({ faults: sql`faults || jsonb_build_object('reorgedBlock', ${block}::bigint)` })
    .where("request_id", "=", requestId)
    .where(sql<boolean>`not faults ? 'reorgedBlock'`)
    .returning("request_id")
    .executeTakeFirst();
  if (noted !== undefined) return undefined;
  const { reorgedBlock } = (await findRequestFaults(db, requestId)) ?? {};
  return typeof reorgedBlock === "number" ? reorgedBlock : block;
}
