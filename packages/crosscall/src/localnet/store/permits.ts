import { sql } from "kysely";

import type { Database } from "./store.ts";
import type { PermitRow, StoredPermit } from "./tables/gaslessTables.ts";

export async function insertPermit(db: Database, requestId: string, permit: StoredPermit): Promise<void> {
  await db
    .insertInto("permits")
    .values({ request_id: requestId, permit: JSON.stringify(permit) })
    .execute();
}

export function findPermit(db: Database, requestId: string): Promise<PermitRow | undefined> {
  return db.selectFrom("permits").selectAll().where("request_id", "=", requestId).executeTakeFirst();
}

/**
 * Ids of failed requests whose authorization others can still use.
 *
 * @param now unix seconds: the earliest time of the chains
 */
export async function listFailedPermits(db: Database, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom("permits")
    .innerJoin("requests", "requests.id", "permits.request_id")
    .select("requests.id")
    .where("requests.status", "=", "failure")
    .where("permits.signature", "is not", null)
    .where(sql<boolean>`permit ->> 'kind' = 'eip3009' and (permit ->> 'deadline')::bigint > ${now}::bigint`)
    .execute();
  return rows.map(({ id }) => id);
}

/** @returns false if the permit has a signature already, or another permit has this one */
export async function signPermit(db: Database, requestId: string, signature: string): Promise<boolean> {
  const signed = await db
    .updateTable("permits")
    .set({ signature })
    .where("request_id", "=", requestId)
    .where("signature", "is", null)
    .where((permit) =>
      permit.not(
        permit.exists(
          permit.selectFrom("permits as other").select("other.request_id").where("other.signature", "=", signature),
        ),
      ),
    )
    .returning("request_id")
    .execute();
  return signed.length > 0;
}
