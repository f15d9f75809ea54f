import type { Kysely } from "kysely";
import { Migrator } from "kysely/migration";

import { InvalidStateError } from "../core/errors.ts";
import { requestsMigration } from "./migrations/0001_requests.ts";
import { requestFiltersMigration } from "./migrations/0002_request_filters.ts";
import { partitionsMigration } from "./migrations/0003_partitions.ts";
import { keysMigration } from "./migrations/0004_keys.ts";
import { solverMigration } from "./migrations/0005_solver.ts";
import { quotesMigration } from "./migrations/0006_quotes.ts";
import type { StoreSchema } from "./schema.ts";

const MIGRATIONS = {
  "0001_requests": requestsMigration,
  "0002_request_filters": requestFiltersMigration,
  "0003_partitions": partitionsMigration,
  "0004_keys": keysMigration,
  "0005_solver": solverMigration,
  "0006_quotes": quotesMigration,
};

/**
 * Brings a database to this version's schema; does nothing where it is there already.
 *
 * @throws {@link InvalidStateError} when the database was written by a newer version, or a migration fails
 */
export async function migrate(db: Kysely<StoreSchema>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(MIGRATIONS) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    throw new InvalidStateError({
      message: "the database could not be brought to this version's schema",
      cure: "Use a new database folder, or the version of crosscall that wrote this one.",
      cause: error,
    });
  }
}
