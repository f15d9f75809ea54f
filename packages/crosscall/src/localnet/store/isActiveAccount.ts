import { sql } from "kysely";

import type { Database } from "./store.ts";

/** Whether a request has paid the account on this chain, or was paid by it. */
export async function isActiveAccount(db: Database, chainId: number, account: string): Promise<boolean> {
  const row = await db
    .selectFrom("requests")
    .select("id")
    .where("status", "=", "success")
    .where((request) =>
      request.or([
        request("destination_chain_id", "=", chainId).and(sql`lower(recipient)`, "=", account.toLowerCase()),
        request("origin_chain_id", "=", chainId).and(sql`lower("user")`, "=", account.toLowerCase()),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
