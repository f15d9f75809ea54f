import type { AttemptRow, TransactionRow } from "./tables/transactionTables.ts";
import type { Database } from "./store.ts";

/** The other bytes that were signed for these transactions, oldest first. */
export function listAttempts(db: Database, transactionIds: readonly number[]): Promise<AttemptRow[]> {
  if (transactionIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom("attempts")
    .selectAll()
    .where("transaction_id", "in", transactionIds)
    .orderBy("created_at")
    .execute();
}

/** Bytes to be sent in place of others. */
export interface Replacement {
  readonly hash: string;
  readonly signed: string;
  readonly nonce: number;
  readonly at: Date;
}

/**
 * Writes down bytes of the same effect in place of a transaction's present ones, which stay known. A transaction that
 * is being cancelled keeps its nonce: with another one it could have its effect beside the cancellation.
 *
 * @returns false where somebody else was first, or it is being cancelled: the new bytes must not be sent then
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
 * Writes down bytes that only use a transaction's nonce up.
 *
 * @returns false where the transaction has other bytes now, or is included: the new ones must not be sent then
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

/** Ends a transaction whose nonce a cancellation used up; false where it has another nonce now, or an end already. */
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

/** Keeps a transaction as it was read, if it still is so, until the database's transaction ends. */
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

/** Puts the bytes that a chain included in the place of a transaction's present ones. */
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
