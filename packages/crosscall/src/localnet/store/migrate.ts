import { sql } from "kysely";
import { Migrator } from "kysely/migration";

import { compact, InvalidStateError } from "@crosscall/protocol/core";
import { DatabaseError } from "./databaseError.ts";
import { schemaMigration } from "./migrations/0001_schema.ts";
import type { OpenDatabase } from "./databases/openDatabase.ts";
import type { Database } from "./schema.ts";

const INITIAL = "0001_schema";

const MIGRATIONS = { [INITIAL]: schemaMigration };

/**
 * Migrates the database. Processes that start at the same time wait for the process that migrates.
 *
 * @throws {@link DatabaseError} if another version wrote the database
 * @throws {@link InvalidStateError} if a migration fails
 */
export async function migrate({ db, name, schema }: OpenDatabase): Promise<void> {
  if (await isCurrent(db, name)) return;
  const migrator = new Migrator(
    compact({ db, provider: { getMigrations: () => Promise.resolve(MIGRATIONS) }, migrationTableSchema: schema }),
  );
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    throw new InvalidStateError({
      message: `the database ${name} could not be migrated to this version's schema`,
      hint: "Use a new database, or the version of crosscall that wrote this one.",
      cause: error,
    });
  }
}

/** Checks the version with one statement, because the migrator's own check reads the whole catalog. */
async function isCurrent(db: Database, name: string): Promise<boolean> {
  const { rows: tables } = await sql`select 1 where to_regclass('kysely_migration') is not null`.execute(db);
  if (tables.length === 0) return false;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  if (rows.some((row) => !Object.hasOwn(MIGRATIONS, row.name))) {
    const isNewer = rows.some((row) => row.name === INITIAL);
    throw new DatabaseError({ database: name, flaw: isNewer ? "newer-schema" : "unknown-schema" });
  }
  return rows.length === Object.keys(MIGRATIONS).length;
}
