import { type JSONColumnType, sql } from "kysely";

import { InvalidStateError } from "@crosscall/protocol/core";
import type { RequestRecord } from "@crosscall/protocol/request/records";
import { requireTimely } from "../queryTooExpensive.ts";
import { orderToSql, type RequestPage, selectPage } from "../requests/listRequests.ts";
import { ensureMonth } from "../requests/months.ts";
import type { NewRequest, RequestRow } from "../requests/requests.ts";
import type { Database } from "../schema.ts";
import type { TransactionPurpose } from "../transactions.ts";
import type { MirroredRequest } from "./toMirroredRequest.ts";

export interface RecordTable {
  readonly request_id: string;
  record: JSONColumnType<RequestRecord>;
}

export interface RecordTransactionTable {
  readonly request_id: string;
  readonly purpose: TransactionPurpose;
  readonly status: "success" | "failure";
  readonly hash: string;
}

declare module "../schema.ts" {
  interface StoreSchema {
    records: RecordTable;
    record_transactions: RecordTransactionTable;
  }
}

/**
 * Inserts or updates requests of another service. Keeps rows that are newer than the record, so pages can arrive twice
 * and in any order.
 *
 * @throws {@link InvalidStateError} if this database's own service created a request with this id
 */
export async function saveRecords(db: Database, mirrored: readonly MirroredRequest[]): Promise<void> {
  for (const { request } of mirrored) await ensureMonth(db, new Date(request.created_at));
  await db.transaction().execute(async (transaction) => {
    for (const each of mirrored) await saveRecord(transaction, each);
  });
}

async function saveRecord(db: Database, { request, transactions, record }: MirroredRequest): Promise<void> {
  const { id, order_id, created_at } = request;
  await db
    .insertInto("request_ids")
    .values({ id, order_id, created_at })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  await rejectOwn(db, id);
  const written = await db
    .insertInto("requests")
    .values({ ...request, ...knownTransactions(transactions) })
    .onConflict((conflict) =>
      conflict
        .columns(["id", "created_at"])
        .doUpdateSet(Object.fromEntries(CHANGING.map((column) => [column, sql.ref(`excluded.${column}`)])))
        .where("requests.updated_at", "<=", new Date(request.updated_at)),
    )
    .returning("id")
    .execute();
  if (written.length === 0) return;
  await db
    .insertInto("records")
    .values({ request_id: id, record: JSON.stringify(record.unreadable?.raw ?? record) })
    .onConflict((conflict) => conflict.column("request_id").doUpdateSet({ record: sql`excluded.record` }))
    .execute();
  await db.deleteFrom("record_transactions").where("request_id", "=", id).execute();
  if (transactions.length > 0) {
    await db
      .insertInto("record_transactions")
      .values(transactions.map((transaction) => ({ ...transaction, request_id: id })))
      .execute();
  }
}

const CHANGING = [
  "status",
  "user",
  "recipient",
  "refund_to",
  "request_type",
  "origin_chain_id",
  "destination_chain_id",
  "origin_currency",
  "destination_currency",
  "origin_symbol",
  "destination_symbol",
  "amount_usd",
  "app_fees_usd",
  "features",
  "referrer",
  "api_key_hash",
  "deposit_address",
  "deposit_address_type",
  "deposit_block",
  "fill_time_seconds",
  "fail_reason",
  "refund_fail_reason",
  "failed_call_data",
  "has_deposit",
  "has_fill",
  "has_refund",
  "updated_at",
] as const;

function knownTransactions(
  transactions: MirroredRequest["transactions"],
): Required<Pick<NewRequest, "has_deposit" | "has_fill" | "has_refund">> {
  const has = (wanted: string): boolean =>
    transactions.some(({ purpose, status }) => purpose === wanted && status !== "failure");
  return { has_deposit: has("deposit"), has_fill: has("fill"), has_refund: has("refund") };
}

async function rejectOwn(db: Database, id: string): Promise<void> {
  const own = await db.selectFrom("orders").select("request_id").where("request_id", "=", id).executeTakeFirst();
  if (own === undefined) return;
  throw new InvalidStateError({
    message: `request ${id} was created by this database's own service, so it cannot be mirrored`,
    hint: "Use a separate database for the mirror.",
  });
}

export type RecordRow = Pick<RequestRow, "id" | "api_key_hash" | "created_at" | "updated_at" | "amount_usd"> & {
  readonly record: RequestRecord;
};

export async function listRecords(db: Database, page: RequestPage): Promise<RecordRow[]> {
  return requireTimely(async () => {
    const { rows } = await sql<RecordRow>`
      select requests.id, api_key_hash, created_at, updated_at, amount_usd, record
      from ${await selectPage(db, page)} as requests
      join records on records.request_id = requests.id ${orderToSql(page)}`.execute(db);
    return rows;
  });
}
