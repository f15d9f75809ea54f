import { type Insertable, sql } from "kysely";

import type { TransactionContents } from "./contents.ts";
import type { TransactionPurpose, TransactionRow, TransactionTable } from "./tables/transactionTables.ts";
import type { Database } from "./store.ts";

/** How many open transactions are looked at in one go: those behind them wait for their nonces anyway. */
const OPEN_PER_READ = 200;

/**
 * Writes a transaction of a request, unless the request has one of that purpose already.
 *
 * @returns whether it was written
 */
export async function insertTransaction(
  db: Database,
  transaction: Omit<Insertable<TransactionTable>, "id">,
): Promise<boolean> {
  const result = await db
    .insertInto("transactions")
    .values(transaction)
    .onConflict((conflict) => conflict.constraint("transactions_once").doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** The transaction of a request with this purpose, or undefined. */
export function findTransaction(
  db: Database,
  requestId: string,
  purpose: TransactionPurpose,
): Promise<TransactionRow | undefined> {
  return db
    .selectFrom("transactions")
    .selectAll()
    .where("request_id", "=", requestId)
    .where("purpose", "=", purpose)
    .executeTakeFirst();
}

/** A transaction with what it did, where that is known: it is in a block, and this service followed it there. */
export interface ListedTransaction extends TransactionRow {
  readonly contents?: TransactionContents;
}

/** All transactions of these requests, oldest first. */
export async function listTransactions(db: Database, requestIds: readonly string[]): Promise<ListedTransaction[]> {
  if (requestIds.length === 0) return [];
  const rows = await db
    .selectFrom("transactions")
    .leftJoin("transaction_contents", "transaction_contents.transaction_id", "transactions.id")
    .selectAll("transactions")
    .select([
      "transaction_contents.to",
      "transaction_contents.input",
      "transaction_contents.value",
      "transaction_contents.state_changes",
    ])
    .where("request_id", "in", requestIds)
    .orderBy("transactions.id")
    .execute();
  return rows.map(({ to, input, value, state_changes, ...row }) =>
    input === null || value === null || state_changes === null
      ? row
      : { ...row, contents: { to, input, value: BigInt(value), stateChanges: state_changes } },
  );
}

/** What inclusion in a block adds to a transaction. */
export interface Inclusion {
  readonly status: "success" | "failure";
  readonly block_number: number;
  readonly block_timestamp: number;
  readonly fee: bigint;
  readonly gas_used: number;
  /** What it moved, where only its block tells; smallest unit. */
  readonly amount?: bigint;
  /** In which currency, where only its block tells. */
  readonly currency?: string;
  /** Who paid, where only its block tells. */
  readonly sender?: string;
}

/** Notes that a transaction was included. */
export async function recordInclusion(db: Database, id: number, inclusion: Inclusion): Promise<void> {
  await db.updateTable("transactions").set(inclusion).where("id", "=", id).execute();
}

/**
 * Keeps the nonces of a sender on a chain to this transaction until it ends: of several workers and processes with one
 * wallet each waits for the one before, and none takes a nonce that another has taken.
 */
export async function lockNonces(db: Database, chainId: number, sender: string): Promise<void> {
  const name = `crosscall.nonces ${chainId} ${sender}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}::text, 0))`.execute(db);
}

/** Keeps a transaction that is in no block as it is until this transaction of the database ends; tells whether it is so. */
export async function lockPending(db: Database, id: number): Promise<boolean> {
  const row = await db
    .selectFrom("transactions")
    .select("id")
    .where("id", "=", id)
    .where("status", "=", "pending")
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes the block of a transaction back: it is in none any more. */
export async function revokeInclusion(db: Database, id: number): Promise<void> {
  const nothing = { block_number: null, block_timestamp: null, fee: null, gas_used: null };
  await db
    .updateTable("transactions")
    .set({ status: "pending", ...nothing })
    .where("id", "=", id)
    .execute();
}

/** Takes a transaction of a request away, so that another one of its purpose may come. */
export async function deleteTransaction(db: Database, id: number): Promise<void> {
  await db.deleteFrom("transactions").where("id", "=", id).execute();
}

/** The solver's transactions on a chain that are in no block yet, in the order of their nonces. */
export function listOpenTransactions(db: Database, chainId: number, sender: string): Promise<TransactionRow[]> {
  return db
    .selectFrom("transactions")
    .selectAll()
    .where("chain_id", "=", chainId)
    .where("sender", "=", sender)
    .where("status", "=", "pending")
    .where("signed", "is not", null)
    .orderBy("nonce")
    .limit(OPEN_PER_READ)
    .execute();
}

/** The solver's transactions on a chain whose blocks lie above a number. */
export function listTransactionsAbove(db: Database, chainId: number, blockNumber: number): Promise<TransactionRow[]> {
  return db
    .selectFrom("transactions")
    .selectAll()
    .where("chain_id", "=", chainId)
    .where("block_number", ">", blockNumber)
    .where("signed", "is not", null)
    .orderBy("nonce")
    .execute();
}

/** The highest nonce that this store knows a sender to have used on a chain, or undefined. */
export async function findHighestNonce(db: Database, chainId: number, sender: string): Promise<number | undefined> {
  const row = await db
    .selectFrom("transactions")
    .select(({ fn }) => fn.max("nonce").as("nonce"))
    .where("chain_id", "=", chainId)
    .where("sender", "=", sender)
    .executeTakeFirst();
  return row?.nonce ?? undefined;
}
