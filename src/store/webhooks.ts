import type { Insertable } from "kysely";

import type { WebhookRow, WebhookTable } from "./tables/webhookTables.ts";
import type { Database } from "./store.ts";

/** Writes the webhook of a key, in place of the one that it has. */
export async function setWebhook(db: Database, webhook: Insertable<WebhookTable>): Promise<void> {
  const { key_hash: _, ...rest } = webhook;
  await db
    .insertInto("webhooks")
    .values(webhook)
    .onConflict((conflict) => conflict.column("key_hash").doUpdateSet(rest))
    .execute();
}

/** The webhook of a key; undefined where it has none. */
export function findWebhook(db: Database, keyHash: string): Promise<WebhookRow | undefined> {
  return db.selectFrom("webhooks").selectAll().where("key_hash", "=", keyHash).executeTakeFirst();
}

/** All webhooks, oldest first. */
export function listWebhooks(db: Database): Promise<WebhookRow[]> {
  return db.selectFrom("webhooks").selectAll().orderBy("created_at").orderBy("key_hash").execute();
}

/** Forgets the webhook of a key, and what it is signed with; tells whether there was one. */
export async function removeWebhook(db: Database, keyHash: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("webhooks").where("key_hash", "=", keyHash).executeTakeFirst();
  return numDeletedRows > 0n;
}
