import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Which fills operators hold, and the requests that they have held. */
export const fillHoldsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("fill_holds")
      .addColumn("id", "bigserial", (column) => column.primaryKey())
      .addColumn("conditions", "jsonb", (column) => column.notNull())
      .addColumn("created_at", "timestamptz(3)", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("held_fills")
      .addColumn("request_id", "text", (column) => column.primaryKey().references("request_ids.id").onDelete("cascade"))
      .addColumn("held_at", "timestamptz(3)", (column) => column.notNull())
      // Null while it is held. A released request is not held again.
      .addColumn("released_at", "timestamptz(3)")
      .execute();
    await sql`create index held_fills_held on held_fills (held_at, request_id) where released_at is null`.execute(db);
  },
};
