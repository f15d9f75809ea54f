import { sql } from "kysely";

import type { AmountColumn, Database, StoreTransaction } from "./schema.ts";

export interface SponsorTable {
  readonly api_key_hash: string;
  /** Balance in US dollars, scaled by 10^18. */
  balance_usd_e18: AmountColumn;
}

/** Amount charged when the fill is signed, and corrected when it is included. */
export interface SponsorPaymentTable {
  readonly request_id: string;
  readonly api_key_hash: string;
  /** Charged amount in US dollars, scaled by 10^18. */
  usd_e18: AmountColumn;
}

declare module "./schema.ts" {
  interface StoreSchema {
    sponsors: SponsorTable;
    sponsor_payments: SponsorPaymentTable;
  }
}

/** Returns the balance in US dollars, scaled by 10^18, or undefined if the key is not a sponsor's. */
export async function findSponsorBalance(db: Database, apiKeyHash: string): Promise<bigint | undefined> {
  const row = await db
    .selectFrom("sponsors")
    .select("balance_usd_e18")
    .where("api_key_hash", "=", apiKeyHash)
    .executeTakeFirst();
  return row === undefined ? undefined : BigInt(row.balance_usd_e18);
}

export async function addSponsor(db: Database, apiKeyHash: string, balanceUsdE18: bigint): Promise<void> {
  await db
    .insertInto("sponsors")
    .values({ api_key_hash: apiKeyHash, balance_usd_e18: balanceUsdE18 })
    .onConflict((conflict) => conflict.column("api_key_hash").doNothing())
    .execute();
}

export async function setSponsorBalance(db: Database, apiKeyHash: string, balanceUsdE18: bigint): Promise<void> {
  await db
    .insertInto("sponsors")
    .values({ api_key_hash: apiKeyHash, balance_usd_e18: balanceUsdE18 })
    .onConflict((conflict) => conflict.column("api_key_hash").doUpdateSet({ balance_usd_e18: balanceUsdE18 }))
    .execute();
}

export interface SponsorPayment {
  readonly requestId: string;
  readonly apiKeyHash: string;
  /** Amount in US dollars, scaled by 10^18. */
  readonly usdE18: bigint;
}

/**
 * Charges the sponsor once per request. Call it in the transaction that signs the fill.
 *
 * @returns whether the balance was sufficient, or the sponsor was already charged
 */
export async function takeSponsorPayment(db: Database, payment: SponsorPayment): Promise<boolean> {
  const { requestId, apiKeyHash, usdE18 } = payment;
  const noted = await db
    .insertInto("sponsor_payments")
    .values({ request_id: requestId, api_key_hash: apiKeyHash, usd_e18: usdE18 })
    .onConflict((conflict) => conflict.column("request_id").doNothing())
    .executeTakeFirst();
  if ((noted.numInsertedOrUpdatedRows ?? 0n) === 0n) return true;
  const taken = await db
    .updateTable("sponsors")
    .set({ balance_usd_e18: sql<string>`balance_usd_e18 - ${usdE18.toString()}::numeric` })
    .where("api_key_hash", "=", apiKeyHash)
    .where("balance_usd_e18", ">=", usdE18.toString())
    .executeTakeFirst();
  return taken.numUpdatedRows > 0n;
}

/** Corrects the charge to the actual cost. Does nothing if the sponsor was not charged. */
export async function settleSponsorPayment(db: StoreTransaction, requestId: string, usdE18: bigint): Promise<void> {
  const payment = await db
    .selectFrom("sponsor_payments")
    .selectAll()
    .where("request_id", "=", requestId)
    .forUpdate()
    .executeTakeFirst();
  if (payment === undefined) return;
  const difference = usdE18 - BigInt(payment.usd_e18);
  await db.updateTable("sponsor_payments").set({ usd_e18: usdE18 }).where("request_id", "=", requestId).execute();
  await db
    .updateTable("sponsors")
    .set({ balance_usd_e18: sql<string>`balance_usd_e18 - ${difference.toString()}::numeric` })
    .where("api_key_hash", "=", payment.api_key_hash)
    .execute();
}
