import { type Generated, type Insertable, type JSONColumnType, type Selectable, sql } from "kysely";

import { PENDING_CHANNEL } from "./notices.ts";
import type { AmountColumn, Database, NullableAmountColumn, TimeColumn } from "./schema.ts";

export type TransactionPurpose =
  | "deposit"
  | "fill"
  | "refund"
  // For deposit addresses: a payment to the address, gas money from the solver, and the transfer to the depository.
  | "payment"
  | "funding"
  | "sweepApproval"
  | "sweep"
  // For permits: the deposit that uses the permit, and the deposit of an amount that the solver already received.
  | "permit"
  | "permitDeposit"
  // Call for a user.
  | "execution"
  // Excess of a payment to a strict deposit address over the order.
  | "excess"
  // Withdrawal to the recovery address of a deposit that cannot be refunded.
  | "recovery"
  // Claim of app fees. The claim's id replaces the request's id.
  | "claim";

/**
 * The solver's own transactions are stored signed before they are sent, so a restart sends the same bytes and the chain
 * includes them once.
 */
export interface TransactionTable {
  readonly id: Generated<number>;
  readonly request_id: string;
  readonly purpose: TransactionPurpose;
  /** Index of the order's input that a deposit pays, or that a refund returns; 0 for other transactions. */
  readonly input_index: Generated<number>;
  readonly chain_id: number;
  hash: string;
  sender: string;
  /** Nonce; null for transactions of other accounts. */
  nonce: number | null;
  signed: string | null;
  status: "pending" | "success" | "failure";
  block_number: number | null;
  /** Unix seconds. */
  block_timestamp: number | null;
  /** Wei. */
  fee: NullableAmountColumn;
  gas_used: number | null;
  /** Smallest unit. */
  amount: AmountColumn;
  currency: string;
  readonly created_at: TimeColumn;
}

export interface TransactionContentTable {
  readonly transaction_id: number;
  readonly to: string | null;
  readonly input: string;
  /** Wei. */
  readonly value: AmountColumn;
  readonly state_changes: JSONColumnType<StateChange[]>;
}

declare module "./schema.ts" {
  interface StoreSchema {
    transactions: TransactionTable;
    transaction_contents: TransactionContentTable;
  }
}

export interface StateChange {
  readonly address: string;
  readonly currency: string;
  /** Amount as a decimal, in the smallest unit; negative for outgoing amounts. */
  readonly amount: string;
}

export type TransactionRow = Selectable<TransactionTable>;

export interface TransactionContents {
  readonly to: string | null;
  readonly input: string;
  /** Wei. */
  readonly value: bigint;
  readonly stateChanges: readonly StateChange[];
}

export async function recordContents(
  db: Database,
  transactionId: number,
  { to, input, value, stateChanges }: TransactionContents,
): Promise<void> {
  const contents = { to, input, value, state_changes: JSON.stringify(stateChanges) };
  await db
    .insertInto("transaction_contents")
    .values({ transaction_id: transactionId, ...contents })
    .onConflict((conflict) => conflict.column("transaction_id").doUpdateSet(contents))
    .execute();
}

/** Maximum number of open transactions per read. Later transactions wait for their nonces anyway. */
const OPEN_PER_READ = 200;

export type NewTransaction = Omit<Insertable<TransactionTable>, "id">;

/** @returns false if the request already has a transaction with this purpose, for this input */
export async function insertTransaction(db: Database, transaction: NewTransaction): Promise<boolean> {
  return (await addTransaction(db, transaction)) !== undefined;
}

/** @returns undefined if the request already has a transaction with this purpose, for this input */
export async function addTransaction(db: Database, transaction: NewTransaction): Promise<TransactionRow | undefined> {
  const isPending = transaction.status === "pending" && transaction.signed != null;
  const inserted = await db
    .insertInto("transactions")
    .values(transaction)
    .onConflict((conflict) => conflict.constraint("transactions_once").doNothing())
    .returningAll()
    .$if(isPending, (insert) => insert.returning(sql`pg_notify(${PENDING_CHANNEL}, chain_id::text)`.as("notified")))
    .executeTakeFirst();
  if (inserted === undefined) return undefined;
  const { notified: _, ...row } = inserted;
  return row;
}

/** @param inputIndex input of the order; by default, the first input with such a transaction */
export async function findTransaction(
  db: Database,
  requestId: string,
  purpose: TransactionPurpose,
  inputIndex?: number,
): Promise<TransactionRow | undefined> {
  const rows = await listInputTransactions(db, requestId, purpose);
  return inputIndex === undefined ? rows[0] : rows.find(({ input_index }) => input_index === inputIndex);
}

/** Lists a request's transactions with a purpose, in the order of the inputs. */
export function listInputTransactions(
  db: Database,
  requestId: string,
  purpose: TransactionPurpose,
): Promise<TransactionRow[]> {
  return db
    .selectFrom("transactions")
    .selectAll()
    .where("request_id", "=", requestId)
    .where("purpose", "=", purpose)
    .orderBy("input_index")
    .execute();
}

/** A transaction with its effects, if it is in a block that this service read. */
export interface ListedTransaction extends TransactionRow {
  readonly contents?: TransactionContents;
}

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

export interface Inclusion {
  readonly status: "success" | "failure";
  readonly block_number: number;
  readonly block_timestamp: number;
  readonly fee: bigint;
  readonly gas_used: number;
  /** Amount in the smallest unit; set if the amount is only known after the block. */
  readonly amount?: bigint;
  readonly currency?: string;
  readonly sender?: string;
}

export async function recordInclusion(db: Database, id: number, inclusion: Inclusion): Promise<void> {
  await db.updateTable("transactions").set(inclusion).where("id", "=", id).execute();
}

/** Result of an included transaction. The block is remembered, so that its reorg is detected before its scan. */
export interface SettledFacts {
  readonly inclusion: Inclusion;
  readonly blockHash: string;
  readonly contents: TransactionContents;
}

/**
 * Records the result of an included transaction. Locks the transaction and its request until the database transaction
 * ends.
 */
export async function recordSettled(
  db: Database,
  { id, chain_id, request_id }: Pick<TransactionRow, "id" | "chain_id" | "request_id">,
  { inclusion, blockHash, contents: { to, input, value, stateChanges } }: SettledFacts,
): Promise<void> {
  const contents = { to, input, value, state_changes: JSON.stringify(stateChanges) };
  await db
    .with("remembered", (query) =>
      query
        .insertInto("scanned_blocks")
        .values({ chain_id, block_number: inclusion.block_number, block_hash: blockHash })
        .onConflict((conflict) => conflict.columns(["chain_id", "block_number"]).doNothing()),
    )
    .with("written", (query) =>
      query
        .insertInto("transaction_contents")
        .values({ transaction_id: id, ...contents })
        .onConflict((conflict) => conflict.column("transaction_id").doUpdateSet(contents)),
    )
    .with("settled", (query) => query.updateTable("transactions").set(inclusion).where("id", "=", id))
    .selectFrom("requests")
    .select("requests.id")
    .where("requests.id", "=", request_id)
    .where("created_at", "=", (month) =>
      month.selectFrom("request_ids").select("request_ids.created_at").where("request_ids.id", "=", request_id),
    )
    .forUpdate()
    .execute();
}

/**
 * Locks the nonces of a sender on a chain: no other worker or process can take a nonce until the transaction ends.
 *
 * @returns the highest stored nonce
 */
export async function lockNonces(db: Database, chainId: number, sender: string): Promise<number | undefined> {
  const { rows } = await sql<{ nonce: number | null }>`select lock_nonces(${chainId}, ${sender}) as nonce`.execute(db);
  return rows[0]?.nonce ?? undefined;
}

/**
 * @returns whether the transaction is still not included; if so, its row stays locked until the database transaction
 * ends
 */
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

/** Records that the transaction is no longer in a block. */
export async function revokeInclusion(db: Database, id: number): Promise<void> {
  const nothing = { block_number: null, block_timestamp: null, fee: null, gas_used: null };
  await db
    .updateTable("transactions")
    .set({ status: "pending", ...nothing })
    .where("id", "=", id)
    .returning(sql`pg_notify(${PENDING_CHANNEL}, chain_id::text)`.as("notified"))
    .execute();
}

export async function deleteTransaction(db: Database, id: number): Promise<void> {
  await db.deleteFrom("transactions").where("id", "=", id).execute();
}

/** Lists transactions that are not included yet, in nonce order. */
export function listOpenTransactions(
  db: Database,
  chainId: number,
  senders: readonly string[],
): Promise<TransactionRow[]> {
  return db
    .selectFrom("transactions")
    .selectAll()
    .where("chain_id", "=", chainId)
    .where("sender", "in", senders)
    .where("status", "=", "pending")
    .where("signed", "is not", null)
    .orderBy("nonce")
    .limit(OPEN_PER_READ)
    .execute();
}

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
