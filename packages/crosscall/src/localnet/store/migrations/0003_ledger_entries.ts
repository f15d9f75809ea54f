import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const STATEMENTS = [
  `create table ledger_entries (
    position bigint generated always as identity primary key,
    chain_id bigint not null,
    -- Keeps the order of fields, as in signed actions.
    entry json not null
  )`,
  "create index ledger_entries_chain on ledger_entries (chain_id, position)",
];

/** Adds the changes of ledgers. */
export const ledgerEntriesMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
