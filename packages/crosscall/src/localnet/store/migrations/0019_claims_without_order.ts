import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Ids of claims name no order, so that a deposit cannot collide with one. */
export const claimsWithoutOrderMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table request_ids alter column order_id drop not null`.execute(db);
    await sql`
      update request_ids set order_id = null from app_fee_claims where app_fee_claims.id = request_ids.id`.execute(db);
  },
};
