import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** What all processes on a database sign and encrypt with. */
export const networkSecretsMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("network_secrets")
      .addColumn("is_current", "boolean", (column) => column.primaryKey())
      .addColumn("secret", "text", (column) => column.notNull())
      .execute();
  },
};
