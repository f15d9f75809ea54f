import { type ColumnType, type Selectable, sql } from "kysely";

import { mulDiv } from "@crosscall/protocol/encoding";
import type { AmountColumn, Database, NullableAmountColumn, TimeColumn } from "./schema.ts";

/**
 * State of a fast fill. `queued`: not signed yet; `held`: filled, but the deposit is missing; `released`: the deposit
 * arrived; `debited`: the deposit timed out; `failed`: not signed, so the deposit is filled as usual, or the fill
 * failed, so the deposit is refunded.
 */
export type FastFillState = "queued" | "held" | "released" | "debited" | "failed";

export interface FastFillTable {
  readonly request_id: string;
  readonly api_key_hash: string;
  /** Amount that the solver expects on the origin chain, in the smallest unit. */
  readonly input_amount: AmountColumn;
  /** Maximum value of the fill, in US dollars, scaled by 10^18. */
  readonly max_fill_usd_e18: NullableAmountColumn;
  state: FastFillState;
  /** Value of the signed fill, which is held until the deposit arrives, in US dollars, scaled by 10^18. */
  held_usd_e18: AmountColumn;
  /** Amount debited from the balance, in US dollars, scaled by 10^18. */
  debited_usd_e18: ColumnType<string, never, bigint>;
  readonly created_at: TimeColumn;
}

declare module "./schema.ts" {
  interface StoreSchema {
    fast_fills: FastFillTable;
  }
}

export type FastFillRow = Selectable<FastFillTable>;

export interface NewFastFill {
  readonly requestId: string;
  readonly apiKeyHash: string;
  /** Smallest unit. */
  readonly inputAmount: bigint;
  /** Maximum value of the fill, in US dollars, scaled by 10^18. */
  readonly maxFillUsdE18: bigint | null;
  readonly at: Date;
}

/** @returns false if the request has a fast fill that did not fail */
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

/**
 * Returns the ids of requests with a fast fill that is not signed or not paid. The solver resumes these requests at
 * startup.
 */
export async function listOpenFastFills(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom("fast_fills")
    .select("request_id")
    .where("state", "in", ["queued", ...UNPAID])
    .execute();
  return rows.map(({ request_id }) => request_id);
}

const UNPAID: readonly FastFillState[] = ["held", "debited"];

/** Returns whether the request was filled but its deposit is still missing. */
export async function isFilledFirst(db: Database, requestId: string): Promise<boolean> {
  const fastFill = await findFastFill(db, requestId);
  return fastFill !== undefined && UNPAID.includes(fastFill.state);
}

/** Returns a sponsor's available balance in US dollars, scaled by 10^18, or undefined if the key is not a sponsor's. */
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
 * @returns false if the fast fill is no longer queued, or the balance is too low
 */
export async function holdFastFill(db: Database, requestId: string, usdE18: bigint): Promise<boolean> {
  const fastFill = await findFastFill(db, requestId);
  if (fastFill === undefined) return false;
  // Locks the balance, because concurrent fills of a sponsor must not hold the same amount.
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

/** Releases the held amount after the deposit arrived, and debits only the shortfall from the expected input. */
export async function releaseFastFill(db: Database, requestId: string, deposited: bigint): Promise<void> {
  await moveFastFill(db, requestId, {
    from: ["held", "debited", "released"],
    to: "released",
    debitOf({ held_usd_e18, input_amount }) {
      const [held, wanted] = [BigInt(held_usd_e18), BigInt(input_amount)];
      return deposited >= wanted ? 0n : held - mulDiv(held, deposited, wanted);
    },
  });
}

/** Releases the held amount after the fill failed. The deposit is refunded, so the balance is not debited. */
export async function failFastFill(db: Database, requestId: string): Promise<void> {
  await moveFastFill(db, requestId, { from: ["held", "debited", "released"], to: "failed", debitOf: () => 0n });
}

/** Fails a fast fill that was not signed. */
export async function failQueuedFastFill(db: Database, requestId: string): Promise<void> {
  await moveFastFill(db, requestId, { from: ["queued"], to: "failed", debitOf: () => 0n });
}

/** Holds a fast fill again after a reorg of its deposit (`released`) or its failed fill (`failed`). */
export async function holdAgain(db: Database, requestId: string, from: "released" | "failed"): Promise<void> {
  // A fast fill that failed before it was signed holds no amount.
  if (BigInt((await findFastFill(db, requestId))?.held_usd_e18 ?? 0) === 0n) return;
  await moveFastFill(db, requestId, { from: [from], to: "held", debitOf: () => 0n });
}

/** Finds filled requests with a deposit that did not arrive. */
export function listHeldFastFills(db: Database): Promise<Pick<FastFillRow, "request_id" | "created_at">[]> {
  return db.selectFrom("fast_fills").select(["request_id", "created_at"]).where("state", "=", "held").execute();
}

/** Debits the held amount permanently. */
export async function debitFastFill(db: Database, requestId: string): Promise<void> {
  await db.transaction().execute((transaction) =>
    moveFastFill(transaction, requestId, {
      from: ["held"],
      to: "debited",
      debitOf: ({ held_usd_e18 }) => BigInt(held_usd_e18),
    }),
  );
}

interface FastFillMove {
  readonly from: readonly FastFillState[];
  readonly to: FastFillState;
  /**
   * Sets the total debit, in US dollars, scaled by 10^18. The balance changes by the difference from the previous
   * debit.
   */
  readonly debitOf: (fastFill: FastFillRow) => bigint;
}

async function moveFastFill(db: Database, requestId: string, { from, to, debitOf }: FastFillMove): Promise<void> {
  const row = await db
    .selectFrom("fast_fills")
    .selectAll()
    .where("request_id", "=", requestId)
    .where("state", "in", from)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return;
  const debit = debitOf(row);
  await db
    .updateTable("fast_fills")
    .set({ state: to, debited_usd_e18: debit })
    .where("request_id", "=", requestId)
    .execute();
  await addToBalance(db, row.api_key_hash, BigInt(row.debited_usd_e18) - debit);
}

async function addToBalance(db: Database, apiKeyHash: string, usdE18: bigint): Promise<void> {
  if (usdE18 === 0n) return;
  await db
    .updateTable("sponsors")
    .set({ balance_usd_e18: sql<string>`balance_usd_e18 + ${usdE18.toString()}::numeric` })
    .where("api_key_hash", "=", apiKeyHash)
    .execute();
}
