import { sql } from "kysely";

import type { AppFeeClaimRow } from "./tables/appFeeClaimTable.ts";
import type { StoredAppFee } from "./tables/requestTables.ts";
import type { TransactionRow } from "./tables/transactionTables.ts";
import type { Database } from "./store.ts";

/** App fees of a request that was filled and paid for. */
export interface ChargedAppFees {
  readonly origin_chain_id: number;
  readonly origin_currency: string;
  /** Smallest unit. */
  readonly input_amount: string;
  readonly app_fees: readonly StoredAppFee[];
}

/** Of all requests with a fee for the wallet, in lower case. */
export function listChargedAppFees(db: Database, wallet: string): Promise<ChargedAppFees[]> {
  return (
    db
      .selectFrom("requests")
      .innerJoin("orders", "orders.request_id", "requests.id")
      .select(["requests.origin_chain_id", "requests.origin_currency", "orders.input_amount", "orders.app_fees"])
      .where("requests.status", "=", "success")
      // A fill whose deposit was lost charged nobody.
      .where("requests.fail_reason", "is", null)
      .where(sql<boolean>`requests.features @> array['app_fees']`)
      .where(
        sql<boolean>`exists (select from jsonb_array_elements(orders.app_fees) fee where lower(fee->>'recipient') = ${wallet})`,
      )
      .where((row) =>
        row.or([
          // Users execute requests on one chain without a deposit.
          row("requests.origin_chain_id", "=", row.ref("requests.destination_chain_id")),
          row.exists(
            row
              .selectFrom("transactions")
              .select("transactions.id")
              .whereRef("transactions.request_id", "=", "requests.id")
              .where("purpose", "=", "deposit")
              .where("transactions.status", "=", "success"),
          ),
        ]),
      )
      .execute()
  );
}

/** Until the transaction ends, no other claim of the wallet is authorized. */
export async function lockAppFees(db: Database, wallet: string): Promise<void> {
  const name = `crosscall.app_fees ${wallet}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}::text, 0))`.execute(db);
}

/** What authorized claims took, in US dollars times 10^18. */
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
  // Ids of claims and requests are of one kind, and own transactions; a claim has no order.
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

/** Ids of claims without a transaction, which a solver continues when it starts. */
export async function listAuthorizedClaims(db: Database): Promise<string[]> {
  const rows = await db.selectFrom("app_fee_claims").select("id").where("state", "=", "authorized").execute();
  return rows.map(({ id }) => id);
}

export interface ListedClaim extends AppFeeClaimRow {
  readonly tx_hash: string | null;
  readonly tx_status: TransactionRow["status"] | null;
}

/**
 * Claims that the wallet signed, newest first.
 *
 * @param after id of the last claim of the page before
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
