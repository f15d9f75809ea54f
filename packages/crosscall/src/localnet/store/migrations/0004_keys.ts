import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Keys of integrators, their webhooks, and the events that go there. */
export const keysMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("api_keys")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("hash", "text", (column) => column.notNull().unique())
      .addColumn("integrator", "text", (column) => column.notNull())
      .addColumn("label", "text", (column) => column.notNull())
      .addColumn("limits", "jsonb", (column) => column.notNull())
      .addColumn("created_at", "timestamptz(3)", (column) => column.notNull())
      .addColumn("revoked_at", "timestamptz(3)")
      .execute();
    await sql`create index api_keys_integrator on api_keys (integrator)`.execute(db);

    await db.schema
      .createTable("webhooks")
      .addColumn("key_hash", "text", (column) => column.primaryKey().references("api_keys.hash"))
      .addColumn("url", "text", (column) => column.notNull())
      .addColumn("header_names", sql`text[]`, (column) => column.notNull())
      // Events are signed with the key itself: it is kept only while there is a webhook, and sealed with the headers.
      .addColumn("sealed", "text", (column) => column.notNull())
      .addColumn("created_at", "timestamptz(3)", (column) => column.notNull())
      .execute();

    await db.schema
      .createTable("webhook_events")
      .addColumn("id", "bigserial", (column) => column.primaryKey())
      .addColumn("request_id", "text", (column) => column.notNull())
      .addColumn("key_hash", "text", (column) => column.notNull())
      .addColumn("status", "text", (column) => column.notNull())
      .addColumn("status_at", "timestamptz(3)", (column) => column.notNull())
      // Written once, before the first attempt: each repetition sends the same.
      .addColumn("data", "jsonb")
      .addColumn("state", "text", (column) => column.notNull().defaultTo("pending"))
      .addColumn("attempts", "integer", (column) => column.notNull().defaultTo(0))
      .addColumn("answer_status", "integer")
      .addColumn("problem", "text")
      // Nobody else may take the event up before this time: an attempt is under way, or the next one is not due.
      .addColumn("held_until", "timestamptz(3)")
      .addColumn("finished_at", "timestamptz(3)")
      .execute();
    // The oldest event of a request that is not done yet is the one to deliver.
    await sql`create index webhook_events_pending on webhook_events (request_id, id) where state = 'pending'`.execute(
      db,
    );
    await sql`create index webhook_events_state on webhook_events (state, id desc)`.execute(db);
    await sql`create index webhook_events_request on webhook_events (request_id, id desc)`.execute(db);
  },
};
