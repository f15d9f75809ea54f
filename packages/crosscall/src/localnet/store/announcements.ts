import type { Insertable, Selectable } from "kysely";

import type { AnnouncementTable } from "./tables/depositTables.ts";
import type { Database } from "./store.ts";

/** Notes the deposit that a client announced; the latest counts. */
export async function announceDeposit(db: Database, announcement: Insertable<AnnouncementTable>): Promise<void> {
  const { chain_id, tx_hash, at } = announcement;
  await db
    .insertInto("announcements")
    .values(announcement)
    .onConflict((conflict) => conflict.column("request_id").doUpdateSet({ chain_id, tx_hash, at }))
    .execute();
}

export function findAnnouncement(db: Database, requestId: string): Promise<Selectable<AnnouncementTable> | undefined> {
  return db.selectFrom("announcements").selectAll().where("request_id", "=", requestId).executeTakeFirst();
}

export interface DepositingRequest {
  readonly id: string;
  readonly since: Date;
}

export async function listDepositingRequests(db: Database): Promise<DepositingRequest[]> {
  const rows = await db
    .selectFrom("requests")
    .select(["id", "updated_at"])
    .where("status", "=", "depositing")
    .orderBy("updated_at")
    .limit(1_000)
    .execute();
  return rows.map(({ id, updated_at }) => ({ id, since: updated_at }));
}
