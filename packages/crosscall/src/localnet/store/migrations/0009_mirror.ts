import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Requests of another service as it returned them, and how far each listing was read. */
export const mirrorMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("records")
      .addColumn("request_id", "text", (column) => column.primaryKey().references("request_ids.id").onDelete("cascade"))
      .addColumn("record", "jsonb", (column) => column.notNull())
      .execute();
    // A record may have several of one kind, where this service's own requests have one.
    await db.schema
      .createTable("record_transactions")
      .addColumn("request_id", "text", (column) =>
        column.notNull().references("records.request_id").onDelete("cascade"),
      )
      .addColumn("purpose", "text", (column) => column.notNull())
      .addColumn("status", "text", (column) => column.notNull())
      .addColumn("hash", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("record_transactions_once", ["request_id", "purpose", "hash"])
      .execute();
    await db.schema.createIndex("record_transactions_hash").on("record_transactions").column("hash").execute();
    // What requests are found by, whoever made them.
    await sql`
      create view known_transactions as
      select request_id, purpose, status, hash from transactions
      union all
      select request_id, purpose, status, hash from record_transactions`.execute(db);
    // A same-chain swap has no order.
    await db.schema
      .alterTable("request_ids")
      .alterColumn("order_id", (column) => column.dropNotNull())
      .execute();
    await db.schema
      .alterTable("requests")
      .alterColumn("order_id", (column) => column.dropNotNull())
      .execute();
    await db.schema
      .createTable("mirrors")
      .addColumn("source", "text", (column) => column.notNull())
      .addColumn("api_key_hash", "text", (column) => column.notNull())
      .addColumn("updated_to", "timestamptz(3)", (column) => column.notNull())
      .addPrimaryKeyConstraint("mirrors_once", ["source", "api_key_hash"])
      .execute();
  },
};
