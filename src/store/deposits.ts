import { type Insertable, sql } from "kysely";

import type { DepositRow, DepositTable } from "./tables/depositTables.ts";
import type { Database } from "./store.ts";

/** What names a deposit. */
export type DepositKey = Pick<DepositRow, "chain_id" | "tx_hash" | "position">;

/** A deposit as it is read off a chain. */
export type NewDeposit = Omit<Insertable<DepositTable>, "state" | "request_id">;

/**
 * Writes a deposit down; one that is known is in another block now, and is to be taken up again for what it is there: a
 * contract may deposit all that it has or is allowed.
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
          // What pays another order now is none of the former one's.
          request_id: sql<string | null>`case when deposits.order_id = excluded.order_id then deposits.request_id end`,
        })
        .where("deposits.state", "in", ["vanished", "lost"]),
    )
    .execute();
}

/** A deposit whose block is gone, as it was there, where it is known. */
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

/** The deposits of a chain in a state, oldest block first; up to a block where one is given. */
export function listDeposits(
  db: Database,
  chainId: number,
  state: DepositRow["state"],
  upToBlock = Number.MAX_SAFE_INTEGER,
): Promise<DepositRow[]> {
  return db
    .selectFrom("deposits")
    .selectAll()
    .where("chain_id", "=", chainId)
    .where("state", "=", state)
    .where("block_number", "<=", upToBlock)
    .orderBy("block_number")
    .orderBy("tx_hash")
    .orderBy("position")
    .execute();
}

/** Moves a deposit on, if it is still in the state and block that it was read in; tells whether it moved. */
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

/** Marks the deposits of a chain above a block: their blocks are gone. */
export async function vanishDeposits(db: Database, chainId: number, blockNumber: number): Promise<void> {
  await db
    .updateTable("deposits")
    .set({ state: "vanished" })
    .where("chain_id", "=", chainId)
    .where("block_number", ">", blockNumber)
    .where("state", "in", ["seen", "taken"])
    .execute();
}

/** Whether a request has a deposit that was in a block once and is in none now, confirmed or not. */
export async function hasLostDeposit(db: Database, requestId: string): Promise<boolean> {
  const row = await db
    .selectFrom("deposits")
    .select("tx_hash")
    .where("state", "=", "lost")
    .where((deposit) =>
      deposit.or([
        deposit("request_id", "=", requestId),
        // None was given to its request before it was confirmed.
        deposit("request_id", "is", null).and("order_id", "=", (ids) =>
          ids.selectFrom("request_ids").select("request_ids.order_id").where("request_ids.id", "=", requestId),
        ),
      ]),
    )
    .executeTakeFirst();
  return row !== undefined;
}
