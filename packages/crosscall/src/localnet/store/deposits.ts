import { type ColumnType, type Insertable, type RawBuilder, type Selectable, sql } from "kysely";

import type { AmountColumn, Database, TimeColumn } from "./schema.ts";

/**
 * State of a deposit. `seen`: in a block, not confirmed; `taken`: belongs to a request; `vanished`: its block is gone
 * and the replacement is not read yet; `lost`: no longer in any block; `ignored`: belongs to no request, in a currency
 * that the service does not know.
 */
export interface DepositTable {
  readonly chain_id: number;
  readonly tx_hash: string;
  /** Index among the deposits of its transaction. */
  readonly position: number;
  order_id: string;
  depositor: string;
  currency: string;
  amount: AmountColumn;
  block_number: number;
  /** Unix seconds. */
  block_timestamp: number;
  /** Wei. */
  fee: AmountColumn;
  gas_used: number;
  state: "seen" | "taken" | "vanished" | "lost" | "ignored";
  /** Id of the request that the deposit pays for. */
  request_id: string | null;
  readonly seen_at: TimeColumn;
  /** Time at which a reorg removed the deposit's block. */
  reorged_at: ColumnType<Date | null, never, Date | null>;
  /** Hash of the block that the reorg removed. */
  block_hash: ColumnType<string | null, never, string | null>;
}

export type DepositRow = Selectable<DepositTable>;

export interface AnnouncementTable {
  readonly request_id: string;
  readonly chain_id: number;
  readonly tx_hash: string;
  readonly at: TimeColumn;
}

declare module "./schema.ts" {
  interface StoreSchema {
    deposits: DepositTable;
    announcements: AnnouncementTable;
  }
}

export type DepositKey = Pick<DepositRow, "chain_id" | "tx_hash" | "position">;

export type NewDeposit = Omit<Insertable<DepositTable>, "state" | "request_id">;

/**
 * Records a deposit. A known deposit that is now in another block is processed again, because a contract may deposit
 * its whole balance or allowance, which differs by block.
 */
export async function noteDeposit(db: Database, deposit: NewDeposit): Promise<void> {
  const { order_id, depositor, currency, amount, block_number, block_timestamp, fee, gas_used } = deposit;
  const inBlock = { order_id, depositor, currency, amount, block_number, block_timestamp, fee, gas_used };
  await db
    .insertInto("deposits")
    .values({ ...deposit, state: "seen" })
    .onConflict((conflict) =>
      conflict
        .columns(["chain_id", "tx_hash", "position"])
        .doUpdateSet({
          ...inBlock,
          state: "seen",
          reorged_at: null,
          block_hash: null,
          // A payment for another order no longer belongs to the previous request.
          request_id: sql<string | null>`case when deposits.order_id = excluded.order_id then deposits.request_id end`,
        })
        .where("deposits.state", "in", ["vanished", "lost"]),
    )
    .execute();
}

export function findVanishedDeposit(
  db: Database,
  { chain_id, tx_hash, position }: DepositKey,
): Promise<DepositRow | undefined> {
  return db
    .selectFrom("deposits")
    .selectAll()
    .where("chain_id", "=", chain_id)
    .where("tx_hash", "=", tx_hash)
    .where("position", "=", position)
    .where("state", "=", "vanished")
    .executeTakeFirst();
}

/** A deposit with the request of its order, if there is one. */
export interface DepositToSettle extends DepositRow {
  readonly order_request_id: string | null;
}

/**
 * Finds deposits with a replaced block, and new deposits.
 *
 * @param upToBlock last block of new deposits
 */
export function listDepositsToSettle(db: Database, chainId: number, upToBlock: number): Promise<DepositToSettle[]> {
  return db
    .selectFrom("deposits")
    .leftJoin("request_ids", "request_ids.order_id", "deposits.order_id")
    .selectAll("deposits")
    .select("request_ids.id as order_request_id")
    .where("chain_id", "=", chainId)
    .where(isToSettle(upToBlock))
    .orderBy("block_number")
    .orderBy("tx_hash")
    .orderBy("position")
    .execute();
}

export function isToSettle(upToBlock: number): RawBuilder<boolean> {
  return sql`(state = 'vanished' or (state = 'seen' and block_number <= ${upToBlock}::bigint))`;
}

/** @returns false if the deposit's state or block has changed since it was read */
export async function moveDeposit(
  db: Database,
  { chain_id, tx_hash, position, state, block_number }: DepositKey & Pick<DepositRow, "state" | "block_number">,
  change: { readonly state: DepositRow["state"]; readonly request_id?: string },
): Promise<boolean> {
  const moved = await db
    .updateTable("deposits")
    .set(change)
    .where("chain_id", "=", chain_id)
    .where("tx_hash", "=", tx_hash)
    .where("position", "=", position)
    .where("state", "=", state)
    .where("block_number", "=", block_number)
    .returning("tx_hash")
    .execute();
  return moved.length > 0;
}

export async function vanishDeposits(db: Database, chainId: number, blockNumber: number, at: Date): Promise<void> {
  await db
    .updateTable("deposits")
    .set({
      state: "vanished",
      reorged_at: at,
      block_hash: (hash) =>
        hash
          .selectFrom("scanned_blocks")
          .select("scanned_blocks.block_hash")
          .whereRef("scanned_blocks.chain_id", "=", "deposits.chain_id")
          .whereRef("scanned_blocks.block_number", "=", "deposits.block_number"),
    })
    .where("chain_id", "=", chainId)
    .where("block_number", ">", blockNumber)
    .where("state", "in", ["seen", "taken"])
    .execute();
}

/** A deposit with a replaced block. */
export type LostDeposit = DepositRow & { readonly request_id: string; readonly reorged_at: Date };

/** Reads the lost deposits of the given requests, oldest first. */
export async function listLostDeposits(db: Database, requestIds: readonly string[]): Promise<LostDeposit[]> {
  if (requestIds.length === 0) return [];
  const rows = await db
    .selectFrom("deposits")
    .selectAll()
    .where("state", "=", "lost")
    .where("request_id", "in", requestIds)
    .where("reorged_at", "is not", null)
    .orderBy("reorged_at")
    .execute();
  return rows as LostDeposit[];
}

/** Returns whether a reorg removed a deposit of the request. */
export async function hasLostDeposit(db: Database, requestId: string): Promise<boolean> {
  const row = await db
    .selectFrom("deposits")
    .select("tx_hash")
    .where("state", "=", "lost")
    .where((deposit) =>
      deposit.or([
        deposit("request_id", "=", requestId),
        // Joins by order, because a deposit is assigned to a request only after it is confirmed.
        deposit("request_id", "is", null).and("order_id", "=", (ids) =>
          ids.selectFrom("request_ids").select("request_ids.order_id").where("request_ids.id", "=", requestId),
        ),
      ]),
    )
    .executeTakeFirst();
  return row !== undefined;
}

/** Records the deposit that a client announced. Only the latest announcement counts. */
export async function announceDeposit(db: Database, announcement: Insertable<AnnouncementTable>): Promise<void> {
  const { chain_id, tx_hash, at } = announcement;
  await db
    .insertInto("announcements")
    .values(announcement)
    .onConflict((conflict) => conflict.column("request_id").doUpdateSet({ chain_id, tx_hash, at }))
    .execute();
}

export function findAnnouncement(db: Database, requestId: string): Promise<Selectable<AnnouncementTable> | undefined> {
  return db.selectFrom("announcements").selectAll().where("request_id", "=", requestId).executeTakeFirst();
}

export interface DepositingRequest {
  readonly id: string;
  readonly inputCount: number;
  readonly since: Date;
}

/**
 * Lists the requests whose deposit can time out, oldest first. A request with some of its inputs paid is listed only
 * after its deadline, so that many of them do not delay the other timeouts.
 *
 * @param now Unix seconds
 */
export async function listDepositingRequests(db: Database, now: number): Promise<DepositingRequest[]> {
  const waitsForInputs = sql<boolean>`
    input_count > 1
    and exists (select from transactions where request_id = requests.id and purpose = 'deposit')
    and ${now}::bigint <= (
      select least((order_data -> 'output' ->> 'deadline')::bigint, (terms ->> 'expiresAt')::bigint)
      from orders where request_id = requests.id)`;
  const rows = await db
    .selectFrom("requests")
    .select(["id", "input_count", "updated_at"])
    .where("status", "=", "depositing")
    .where(sql<boolean>`(${waitsForInputs}) is not true`)
    .orderBy("updated_at")
    .limit(1_000)
    .execute();
  return rows.map(({ id, input_count, updated_at }) => ({ id, inputCount: input_count, since: updated_at }));
}
