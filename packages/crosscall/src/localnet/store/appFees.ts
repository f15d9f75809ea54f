import { type Selectable, sql } from "kysely";

import { BPS_PER_WHOLE } from "@crosscall/protocol/encoding";
import type { AmountColumn, Database, TimeColumn } from "./schema.ts";
import type { TransactionRow } from "./transactions.ts";

export interface AppFeeClaimTable {
  /** Id of the claim: 32 bytes that the wallet signs. */
  readonly id: string;
  /** In lower case. */
  readonly wallet: string;
  readonly recipient: string;
  readonly chain_id: number;
  readonly currency: string;
  /** Amount that the recipient receives, in the smallest unit. */
  readonly amount: AmountColumn;
  /** Cost to the wallet, in US dollars, scaled by 10^18. */
  readonly usd_e18: AmountColumn;
  /**
   * State of the claim. `quoted`: not signed by the wallet; `sent`: the transaction is stored; `failed`: the claim
   * cannot be paid.
   */
  state: "quoted" | "authorized" | "sent" | "failed";
  readonly created_at: TimeColumn;
}

declare module "./schema.ts" {
  interface StoreSchema {
    app_fee_claims: AppFeeClaimTable;
  }
}

export type AppFeeClaimRow = Selectable<AppFeeClaimTable>;

/** A fee that a filled request paid. */
export interface AppFee {
  readonly chain_id: number;
  readonly currency: string;
  /** Smallest unit. */
  readonly amount: string;
}

/** Reads the fees of all requests with a fee for the wallet, including deleted requests. `wallet` is in lower case. */
export async function listAppFees(db: Database, wallet: string): Promise<AppFee[]> {
  const { rows } = await sql<AppFee>`
    select chain_id, currency, amount from (${receivedFees("requests")}) as received where wallet = ${wallet}
    union all
    select chain_id, currency, amount from past_app_fees where wallet = ${wallet}`.execute(db);
  return rows;
}

/**
 * Keeps the fees of requests that will be deleted.
 *
 * @param month a table of requests
 */
export async function keepAppFees(db: Database, month: string): Promise<void> {
  await sql`insert into past_app_fees (wallet, chain_id, currency, amount) ${receivedFees(month)}`.execute(db);
}

/**
 * Selects the fees of filled requests with an existing deposit. The deposited amount limits the fees. Deposits of
 * several inputs, and those after a swap, are in other currencies, so the quoted amount applies.
 */
function receivedFees(requests: string) {
  return sql`
    select lower(fee.recipient) as wallet, request.origin_chain_id as chain_id, request.origin_currency as currency,
      div(least(orders.input_amount, case when request.input_count = 1 and not orders.terms ? 'deposit' then deposit.amount end) * fee.bps::numeric, ${BPS_PER_WHOLE.toString()}::numeric) as amount
    from ${sql.table(requests)} as request
    join orders on orders.request_id = request.id
    join transactions as deposit
      on deposit.request_id = request.id and deposit.purpose = 'deposit' and deposit.input_index = 0
        and deposit.status = 'success'
    cross join lateral jsonb_to_recordset(orders.app_fees) as fee(recipient text, bps text)
    where request.status = 'success' and request.fail_reason is null and request.features @> array['app_fees']`;
}

/** Prevents other claims of the wallet from being authorized until the transaction ends. */
export async function lockAppFees(db: Database, wallet: string): Promise<void> {
  const name = `crosscall.app_fees ${wallet}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}::text, 0))`.execute(db);
}

/** Returns the total of authorized claims, in US dollars, scaled by 10^18. */
export async function sumClaimed(db: Database, wallet: string): Promise<bigint> {
  const { claimed } = await db
    .selectFrom("app_fee_claims")
    .leftJoin("transactions", "transactions.request_id", "app_fee_claims.id")
    .select(sql<string>`coalesce(sum(usd_e18), 0)`.as("claimed"))
    .where("wallet", "=", wallet)
    .where("state", "in", ["authorized", "sent"])
    .where((row) => row.or([row("transactions.status", "is", null), row("transactions.status", "<>", "failure")]))
    .executeTakeFirstOrThrow();
  return BigInt(claimed);
}

export async function insertClaim(
  db: Database,
  claim: Omit<AppFeeClaimRow, "state" | "amount" | "usd_e18"> & { readonly amount: bigint; readonly usd_e18: bigint },
): Promise<void> {
  const { id, created_at } = claim;
  // Claims and requests share one table of ids, because both have transactions. A claim has no order.
  await db
    .with("ids", (query) => query.insertInto("request_ids").values({ id, order_id: null, created_at }))
    .insertInto("app_fee_claims")
    .values({ ...claim, state: "quoted" })
    .execute();
}

export function findClaim(db: Database, id: string): Promise<AppFeeClaimRow | undefined> {
  return db.selectFrom("app_fee_claims").selectAll().where("id", "=", id.toLowerCase()).executeTakeFirst();
}

/** @returns whether the claim was in `from` and moved */
export async function moveClaim(
  db: Database,
  id: string,
  from: AppFeeClaimRow["state"],
  state: AppFeeClaimRow["state"],
): Promise<boolean> {
  const moved = await db
    .updateTable("app_fee_claims")
    .set({ state })
    .where("id", "=", id)
    .where("state", "=", from)
    .executeTakeFirst();
  return moved.numUpdatedRows > 0n;
}

/** Returns the ids of claims without a transaction, which the solver resumes at startup. */
export async function listAuthorizedClaims(db: Database): Promise<string[]> {
  const rows = await db.selectFrom("app_fee_claims").select("id").where("state", "=", "authorized").execute();
  return rows.map(({ id }) => id);
}

export interface ListedClaim extends AppFeeClaimRow {
  readonly tx_hash: string | null;
  readonly tx_status: TransactionRow["status"] | null;
}

/**
 * Lists claims that the wallet signed, newest first.
 *
 * @param after id of the last claim of the previous page
 */
export function listClaims(db: Database, wallet: string, limit: number, after?: string): Promise<ListedClaim[]> {
  const claims = db
    .selectFrom("app_fee_claims")
    .leftJoin("transactions", "transactions.request_id", "app_fee_claims.id")
    .selectAll("app_fee_claims")
    .select(["transactions.hash as tx_hash", "transactions.status as tx_status"])
    .where("wallet", "=", wallet)
    .where("state", "<>", "quoted")
    .orderBy("app_fee_claims.created_at", "desc")
    .orderBy("app_fee_claims.id", "desc")
    .limit(limit);
  if (after === undefined) return claims.execute();
  return claims
    .where(
      sql<boolean>`(app_fee_claims.created_at, app_fee_claims.id) <
        (select created_at, id from app_fee_claims where id = ${after})`,
    )
    .execute();
}
