import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** How long the solver watches a deposit address, and indexes for what it reads after each block. */
export const watchedAddressesMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable("deposit_addresses").addColumn("watched_until", "timestamptz(3)").execute();
    // By the service's clock, as far as the table has it: a month after their quote.
    await sql`
      update deposit_addresses set watched_until = coalesce(
        (select created_at from request_ids where id = deposit_addresses.request_id), now()) + interval '30 days'`.execute(
      db,
    );
    await sql`alter table deposit_addresses alter column watched_until set not null`.execute(db);
    await sql`create index deposit_addresses_watched on deposit_addresses (watched_until, address)`.execute(db);
    await sql`create index deposit_addresses_request on deposit_addresses (request_id)`.execute(db);
    // Without them, each block would read the requests that were never paid.
    await sql`
      create index requests_at_address on requests (lower(deposit_address))
      where deposit_address is not null and status in ('waiting', 'depositing')`.execute(db);
    await sql`
      create index requests_same_chain on requests (origin_chain_id)
      where origin_chain_id = destination_chain_id and deposit_address is null and status in ('waiting', 'depositing')`.execute(
      db,
    );
  },
};
