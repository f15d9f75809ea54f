import type { Insertable } from "kysely";

import type { WebhookRow, WebhookTable } from "./tables/webhookTables.ts";
import type { Database } from "./store.ts";

export async function setWebhook(db: Database, webhook: Insertable<WebhookTable>): Promise<void> {
  const { key_hash: _, ...rest } = webhook;
  await db
    .insertInto("webhooks")
    .values(webhook)
    .onConflict((conflict) => conflict.column("key_hash").doUpdateSet(rest))
    .execute();
}

export function findWebhook(db: Database, keyHash: string): Promise<WebhookRow | undefined> {
  return db.selectFrom("webhooks").selectAll().where("key_hash", "=", keyHash).executeTakeFirst();
}

export function listWebhooks(db: Database): Promise<WebhookRow[]> {
  return db.selectFrom("webhooks").selectAll().orderBy("created_at").orderBy("key_hash").execute();
}

/** @returns whether there was one */
export async function removeWebhook(db: Database, keyHash: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("webhooks").where("key_hash", "=", keyHash).executeTakeFirst();
  return numDeletedRows > 0n;
}
