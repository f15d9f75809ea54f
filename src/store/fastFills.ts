import { sql } from "kysely";

import type { FastFillRow, FastFillState } from "./tables/fastFillTable.ts";
import type { Database } from "./store.ts";

export interface NewFastFill {
  readonly requestId: string;
  readonly apiKeyHash: string;
  /** Smallest unit. */
  readonly inputAmount: bigint;
  /** US dollars times 10^18. */
  readonly maxFillUsdE18: bigint | null;
  readonly at: Date;
}

/** @returns false if the request has one that did not fail */
export async function insertFastFill(db: Database, fastFill: NewFastFill): Promise<boolean> {
  const values = {
    api_key_hash: fastFill.apiKeyHash,
    input_amount: fastFill.inputAmount,
    max_fill_usd_e18: fastFill.maxFillUsdE18,
    state: "queued" as const,
    held_usd_e18: 0n,
    created_at: fastFill.at,
  };
  const result = await db
    .insertInto("fast_fills")
    .values({ request_id: fastFill.requestId, ...values })
    .onConflict((conflict) =>
      conflict.column("request_id").doUpdateSet(values).where("fast_fills.state", "=", "failed"),
    )
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export function findFastFill(db: Database, requestId: string): Promise<FastFillRow | undefined> {
  return db.selectFrom("fast_fills").selectAll().where("request_id", "=", requestId).executeTakeFirst();
}

/** Ids of requests whose fast fill is not signed, which a solver continues when it starts. */
export async function listQueuedFastFills(db: Database): Promise<string[]> {
  const rows = await db.selectFrom("fast_fills").select("request_id").where("state", "=", "queued").execute();
  return rows.map(({ request_id }) => request_id);
}

/** What a sponsor can still risk, in US dollars times 10^18; undefined if the key is not a sponsor. */
export async function findFreeBalance(db: Database, apiKeyHash: string): Promise<bigint | undefined> {
  const row = await db
    .selectFrom("sponsors")
    .select("balance_usd_e18")
    .where("api_key_hash", "=", apiKeyHash)
    .executeTakeFirst();
  return row === undefined ? undefined : BigInt(row.balance_usd_e18) - (await sumHeld(db, apiKeyHash));
}

async function sumHeld(db: Database, apiKeyHash: string): Promise<bigint> {
  const { held } = await db
    .selectFrom("fast_fills")
    .select(sql<string>`coalesce(sum(held_usd_e18), 0)`.as("held"))
    .where("api_key_hash", "=", apiKeyHash)
    .where("state", "=", "held")
    .executeTakeFirstOrThrow();
  return BigInt(held);
}

/**
 * Holds the value of a fill; call it in the transaction that signs the fill.
 *
 * @returns false if it is not queued any more, or the balance is too low
 */
export async function holdFastFill(db: Database, requestId: string, usdE18: bigint): Promise<boolean> {
  const fastFill = await findFastFill(db, requestId);
  if (fastFill === undefined) return false;
  // Two fills of a sponsor at once must not hold the same money.
  await db
    .selectFrom("sponsors")
    .select("api_key_hash")
    .where("api_key_hash", "=", fastFill.api_key_hash)
    .forUpdate()
    .execute();
  if (((await findFreeBalance(db, fastFill.api_key_hash)) ?? 0n) < usdE18) return false;
  const moved = await db
    .updateTable("fast_fills")
    .set({ state: "held", held_usd_e18: usdE18 })
    .where("request_id", "=", requestId)
    .where("state", "=", "queued")
    .executeTakeFirst();
  if (moved.numUpdatedRows === 0n) return false;
  await db
    .updateTable("requests")
    .set({ features: sql`array_append(features, 'fast_fill')` })
    .where("id", "=", requestId)
    .execute();
  return true;
}

/**
 * The deposit is there, or the fill failed: a debit is returned.
 *
 * @param missingUsdE18 what the deposit lacks, which is debited
 */
export async function releaseFastFill(
  db: Database,
  requestId: string,
  to: "released" | "failed",
  missingUsdE18 = 0n,
): Promise<void> {
  const former = await moveFastFill(db, requestId, ["held", "debited"], to);
  if (former === undefined) return;
  const returned = former.state === "debited" ? BigInt(former.held_usd_e18) : 0n;
  await addToBalance(db, former.api_key_hash, returned - missingUsdE18);
}

/** A fast fill that was not signed. */
export async function failQueuedFastFill(db: Database, requestId: string): Promise<void> {
  await moveFastFill(db, requestId, ["queued"], "failed");
}

/** The deposit is gone again. */
export async function holdAgain(db: Database, requestId: string): Promise<void> {
  await moveFastFill(db, requestId, ["released"], "held");
}

/** Ids of filled requests whose deposit did not arrive since. */
export async function listLateFastFills(db: Database, before: Date): Promise<string[]> {
  const rows = await db
    .selectFrom("fast_fills")
    .select("request_id")
    .where("state", "=", "held")
    .where("created_at", "<", before)
    .execute();
  return rows.map(({ request_id }) => request_id);
}

/** Takes what is held for a deposit, as a permanent debit. */
export async function debitFastFill(db: Database, requestId: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const former = await moveFastFill(transaction, requestId, ["held"], "debited");
    if (former !== undefined) await addToBalance(transaction, former.api_key_hash, -BigInt(former.held_usd_e18));
  });
}

/** @returns the row before the change, or undefined if it was in none of the states */
async function moveFastFill(
  db: Database,
  requestId: string,
  from: readonly FastFillState[],
  state: FastFillState,
): Promise<FastFillRow | undefined> {
  const row = await db
    .selectFrom("fast_fills")
    .selectAll()
    .where("request_id", "=", requestId)
    .where("state", "in", from)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  await db.updateTable("fast_fills").set({ state }).where("request_id", "=", requestId).execute();
  return row;
}

async function addToBalance(db: Database, apiKeyHash: string, usdE18: bigint): Promise<void> {
  await db
    .updateTable("sponsors")
    .set({ balance_usd_e18: sql<string>`balance_usd_e18 + ${usdE18.toString()}::numeric` })
    .where("api_key_hash", "=", apiKeyHash)
    .execute();
}
