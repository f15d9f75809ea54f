import type { Selectable } from "kysely";

import type { Database, TimeColumn } from "./schema.ts";
import type { TransactionRow } from "./transactions.ts";

/** A version of a transaction. Of all versions with the same nonce, the chain includes one. */
export interface AttemptTable {
  readonly hash: string;
  readonly transaction_id: number;
  readonly nonce: number;
  readonly signed: string;
  /** Whether the transaction only uses up the nonce. */
  readonly is_cancellation: boolean;
  readonly created_at: TimeColumn;
}

declare module "./schema.ts" {
  interface StoreSchema {
    attempts: AttemptTable;
  }
}

export type AttemptRow = Selectable<AttemptTable>;

export function listAttempts(db: Database, transactionIds: readonly number[]): Promise<AttemptRow[]> {
  if (transactionIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom("attempts")
    .selectAll()
    .where("transaction_id", "in", transactionIds)
    .orderBy("created_at")
    .execute();
}

export interface Replacement {
  readonly hash: string;
  readonly signed: string;
  readonly nonce: number;
  readonly at: Date;
}

/**
 * Replaces a transaction's signed bytes, and keeps a record of the old bytes. A transaction that is being canceled
 * keeps its nonce. Otherwise, the transaction could take effect in addition to the cancellation.
 *
 * @returns false if another process was first or a cancellation started, so that the new bytes must not be sent
 */
export function replaceTransaction(db: Database, row: TransactionRow, replacement: Replacement): Promise<boolean> {
  const { hash, signed, nonce, at } = replacement;
  return db.transaction().execute(async (transaction) => {
    if (!(await lockOpen(transaction, row))) return false;
    if (nonce !== row.nonce && (await isBeingCancelled(transaction, row.id))) return false;
    await transaction.updateTable("transactions").set({ hash, signed, nonce }).where("id", "=", row.id).execute();
    await transaction
      .insertInto("attempts")
      .values({
        hash: row.hash,
        transaction_id: row.id,
        nonce: row.nonce ?? nonce,
        signed: row.signed ?? signed,
        is_cancellation: false,
        created_at: at,
      })
      .execute();
    return true;
  });
}

/**
 * Records bytes that only use up a transaction's nonce.
 *
 * @returns false if the transaction's bytes changed or it is included, so that the new bytes must not be sent
 */
export function recordCancellation(db: Database, row: TransactionRow, replacement: Replacement): Promise<boolean> {
  const { hash, signed, nonce, at } = replacement;
  return db.transaction().execute(async (transaction) => {
    if (!(await lockOpen(transaction, row))) return false;
    await transaction
      .insertInto("attempts")
      .values({ hash, transaction_id: row.id, nonce, signed, is_cancellation: true, created_at: at })
      .onConflict((conflict) => conflict.column("hash").doNothing())
      .execute();
    return true;
  });
}

/** @returns false if the transaction has a different nonce now, or has ended */
export async function endCancelled(db: Database, row: TransactionRow, cancellation: AttemptRow): Promise<boolean> {
  const ended = await db
    .updateTable("transactions")
    .set({ status: "failure" })
    .where("id", "=", row.id)
    .where("nonce", "=", cancellation.nonce)
    .where("status", "=", "pending")
    .returning("id")
    .execute();
  return ended.length > 0;
}

async function lockOpen(db: Database, { id, hash }: TransactionRow): Promise<boolean> {
  const row = await db
    .selectFrom("transactions")
    .select("id")
    .where("id", "=", id)
    .where("hash", "=", hash)
    .where("status", "=", "pending")
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

async function isBeingCancelled(db: Database, transactionId: number): Promise<boolean> {
  const attempts = await listAttempts(db, [transactionId]);
  return attempts.some(({ is_cancellation }) => is_cancellation);
}

export async function adoptAttempt(db: Database, row: TransactionRow, attempt: AttemptRow): Promise<void> {
  const { hash, signed, nonce } = attempt;
  await db.updateTable("transactions").set({ hash, signed, nonce }).where("id", "=", row.id).execute();
  await db.deleteFrom("attempts").where("hash", "=", hash).execute();
  await db
    .insertInto("attempts")
    .values({
      hash: row.hash,
      transaction_id: row.id,
      nonce: row.nonce ?? nonce,
      signed: row.signed ?? signed,
      is_cancellation: false,
      created_at: attempt.created_at,
    })
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .execute();
}
