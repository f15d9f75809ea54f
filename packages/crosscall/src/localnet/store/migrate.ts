import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";

import { compact, InvalidStateError } from "@crosscall/protocol/core";
import { DatabaseError } from "./databaseError.ts";
import type { OpenDatabase } from "./databases/openDatabase.ts";
import { requestsMigration } from "./migrations/0001_requests.ts";
import { requestFiltersMigration } from "./migrations/0002_request_filters.ts";
import { partitionsMigration } from "./migrations/0003_partitions.ts";
import { keysMigration } from "./migrations/0004_keys.ts";
import { solverMigration } from "./migrations/0005_solver.ts";
import { quotesMigration } from "./migrations/0006_quotes.ts";
import { scenariosMigration } from "./migrations/0007_scenarios.ts";
import { mirrorMigration } from "./migrations/0009_mirror.ts";
import { restrictionsMigration } from "./migrations/0010_restrictions.ts";
import { campaignsMigration } from "./migrations/0011_campaigns.ts";
import { usageMigration } from "./migrations/0012_usage.ts";
import { gaslessMigration } from "./migrations/0013_gasless.ts";
import { knownTransactionsMigration } from "./migrations/0014_known_transactions.ts";
import { recordsMigration } from "./migrations/0015_records.ts";
import { quoteTermsMigration } from "./migrations/0016_quote_terms.ts";
import { fastFillsMigration } from "./migrations/0017_fast_fills.ts";
import { appFeeClaimsMigration } from "./migrations/0018_app_fee_claims.ts";
import { claimsWithoutOrderMigration } from "./migrations/0019_claims_without_order.ts";
import { fastFillDebitsMigration } from "./migrations/0020_fast_fill_debits.ts";
import { pastAppFeesMigration } from "./migrations/0021_past_app_fees.ts";
import { fillHoldsMigration } from "./migrations/0022_fill_holds.ts";
import { watchedAddressesMigration } from "./migrations/0023_watched_addresses.ts";
import { sweptEventsMigration } from "./migrations/0024_swept_events.ts";
import { networkSecretsMigration } from "./migrations/0025_network_secrets.ts";
import { clockMigration } from "./migrations/0026_clock.ts";
import type { StoreSchema } from "./schema.ts";

const MIGRATIONS = {
  "0001_requests": requestsMigration,
  "0002_request_filters": requestFiltersMigration,
  "0003_partitions": partitionsMigration,
  "0004_keys": keysMigration,
  "0005_solver": solverMigration,
  "0006_quotes": quotesMigration,
  "0007_scenarios": scenariosMigration,
  "0009_mirror": mirrorMigration,
  "0011_campaigns": campaignsMigration,
  "0010_restrictions": restrictionsMigration,
  "0012_usage": usageMigration,
  "0013_gasless": gaslessMigration,
  "0014_known_transactions": knownTransactionsMigration,
  "0015_records": recordsMigration,
  "0016_quote_terms": quoteTermsMigration,
  "0017_fast_fills": fastFillsMigration,
  "0018_app_fee_claims": appFeeClaimsMigration,
  "0019_claims_without_order": claimsWithoutOrderMigration,
  "0020_fast_fill_debits": fastFillDebitsMigration,
  "0021_past_app_fees": pastAppFeesMigration,
  "0022_fill_holds": fillHoldsMigration,
  "0023_watched_addresses": watchedAddressesMigration,
  "0024_swept_events": sweptEventsMigration,
  "0025_network_secrets": networkSecretsMigration,
  "0026_clock": clockMigration,
};

/**
 * Processes that start at once wait for the one that migrates.
 *
 * @throws {@link DatabaseError} if a newer version wrote the database
 * @throws {@link InvalidStateError} if a migration fails
 */
export async function migrate({ db, name, schema }: Pick<OpenDatabase, "db" | "name" | "schema">): Promise<void> {
  if (await isCurrent(db, name)) return;
  const migrator = new Migrator(
    compact({ db, provider: { getMigrations: () => Promise.resolve(MIGRATIONS) }, migrationTableSchema: schema }),
  );
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    throw new InvalidStateError({
      message: `the database ${name} could not be brought to this version's schema`,
      hint: "Use a new database, or the version of crosscall that wrote this one.",
      cause: error,
    });
  }
}

/** The migrator would read the whole catalog to find out. */
async function isCurrent(db: Kysely<StoreSchema>, name: string): Promise<boolean> {
  const { rows: tables } = await sql`select 1 where to_regclass('kysely_migration') is not null`.execute(db);
  if (tables.length === 0) return false;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  if (rows.some((row) => !Object.hasOwn(MIGRATIONS, row.name))) {
    throw new DatabaseError({ database: name, flaw: "newer-schema" });
  }
  return rows.length === Object.keys(MIGRATIONS).length;
}
