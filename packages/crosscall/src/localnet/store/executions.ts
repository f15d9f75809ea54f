import { type JSONColumnType, type Selectable, sql } from "kysely";

import type { Database } from "./schema.ts";

export interface StoredAuthorization {
  readonly chainId: number;
  readonly address: string;
  readonly nonce: number;
  readonly yParity: number;
  readonly r: string;
  readonly s: string;
}

/** A call that the service sends for a user. */
export interface StoredCall {
  readonly chainId: number;
  readonly to: string;
  readonly data: string;
  /** EIP-7702. */
  readonly authorizationList?: readonly StoredAuthorization[];
}

export interface ExecutionTable {
  readonly request_id: string;
  /** Hash of the API key whose balance pays for the gas of a sponsored execution. */
  readonly api_key_hash: string;
  readonly call: JSONColumnType<StoredCall, string, never>;
  readonly is_sponsored: boolean;
}

declare module "./schema.ts" {
  interface StoreSchema {
    executions: ExecutionTable;
  }
}

export type ExecutionRow = Selectable<ExecutionTable>;

export interface NewExecution {
  readonly requestId: string;
  readonly apiKeyHash: string;
  readonly call: StoredCall;
  readonly isSponsored: boolean;
}

/**
 * Records a call for a user, and the feature in its request.
 *
 * @returns false if the request already has a call
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
