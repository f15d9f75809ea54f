import { sql } from "kysely";

import type { Database } from "./store.ts";
import type { ExecutionRow, StoredCall } from "./tables/gaslessTables.ts";

export interface NewExecution {
  readonly requestId: string;
  readonly apiKeyHash: string;
  readonly call: StoredCall;
  readonly isSponsored: boolean;
}

/**
 * Records a call for a user, with its feature in the request.
 *
 * @returns false if the request has one already
 */
export async function insertExecution(db: Database, execution: NewExecution): Promise<boolean> {
  const { requestId, apiKeyHash, call, isSponsored } = execution;
  const result = await db
    .insertInto("executions")
    .values({
      request_id: requestId,
      api_key_hash: apiKeyHash,
      call: JSON.stringify(call),
      is_sponsored: isSponsored,
    })
    .onConflict((conflict) => conflict.column("request_id").doNothing())
    .executeTakeFirst();
  if ((result.numInsertedOrUpdatedRows ?? 0n) === 0n) return false;
  await sql`update requests set features = array_prepend('gasless_execution', features)
    where id = ${requestId} and created_at = (select created_at from request_ids where id = ${requestId})`.execute(db);
  return true;
}

export function findExecution(db: Database, requestId: string): Promise<ExecutionRow | undefined> {
  return db.selectFrom("executions").selectAll().where("request_id", "=", requestId).executeTakeFirst();
}
