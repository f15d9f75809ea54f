import { sql } from "kysely";

import { InvalidStateError } from "@crosscall/protocol/core";
import { type DepositToSettle, isToSettle, type NewDeposit } from "./deposits.ts";
import type { Database } from "./schema.ts";

export interface ScanTable {
  readonly chain_id: number;
  /** Hash of block 0 or, on a fork, of the first block after the fork. It distinguishes chains with the same id. */
  readonly genesis_hash: string;
  /** Number of the last scanned block; -1 if none was scanned. */
  block_number: number;
}

export interface ScannedBlockTable {
  readonly chain_id: number;
  readonly block_number: number;
  readonly block_hash: string;
}

declare module "./schema.ts" {
  interface StoreSchema {
    scans: ScanTable;
    scanned_blocks: ScannedBlockTable;
  }
}

/**
 * Maximum depth of a reorg that is detected exactly. After a deeper reorg, scanning restarts at the oldest remembered
 * block.
 */
const BLOCKS_REMEMBERED = 1_024;

/**
 * Binds the store to a chain by the hash of a block that no other chain has. A store must not be used with another
 * chain of the same id, because its transactions would be sent there.
 *
 * @param scannedBlock last block that a new store skips; -1 for none
 * @throws {@link InvalidStateError} if the store has another hash for this chain id
 */
export async function followChain(
  db: Database,
  chainId: number,
  genesisHash: string,
  scannedBlock = -1,
): Promise<void> {
  await db
    .insertInto("scans")
    .values({ chain_id: chainId, genesis_hash: genesisHash, block_number: scannedBlock })
    .onConflict((conflict) => conflict.column("chain_id").doNothing())
    .execute();
  const row = await db
    .selectFrom("scans")
    .select("genesis_hash")
    .where("chain_id", "=", chainId)
    .executeTakeFirstOrThrow();
  if (row.genesis_hash === genesisHash) return;
  throw new InvalidStateError({
    message: `the database belongs to a different chain ${chainId}: its first block was ${row.genesis_hash}, but is now ${genesisHash}`,
    hint: "Use a new database, or the chains that this one was created with (in-process chains are new on each start).",
  });
}

/**
 * @throws {@link InvalidStateError} if a process on the database has run the chain, so that this process must not
 * simulate its transactions
 */
export async function requireNotFollowed(db: Database, chainId: number): Promise<void> {
  const row = await db.selectFrom("scans").select("chain_id").where("chain_id", "=", chainId).executeTakeFirst();
  if (row === undefined) return;
  throw new InvalidStateError({
    message: `the database has the transactions of chain ${chainId}, but this process does not run the chain`,
    hint: "Start each process on the database with it: for Solana, with --svm or `svm: true`.",
  });
}

/** Returns the number of the last scanned block, or -1 if none was scanned. */
export async function findScannedBlock(db: Database, chainId: number): Promise<number> {
  const row = await db.selectFrom("scans").select("block_number").where("chain_id", "=", chainId).executeTakeFirst();
  return row?.block_number ?? -1;
}

export interface ScanState {
  /** Number of the last scanned block; -1 if none was scanned. */
  readonly scanned: number;
  /** Highest remembered block. A fill's block is remembered before it is scanned. */
  readonly last: ScannedBlock | undefined;
}

export interface ScannedBlock {
  readonly block_number: number;
  readonly block_hash: string;
}

export async function findScan(db: Database, chainId: number): Promise<ScanState> {
  const row = await db
    .selectFrom("scans")
    .leftJoinLateral(
      (block) =>
        block
          .selectFrom("scanned_blocks")
          .select(["scanned_blocks.block_number as last_number", "scanned_blocks.block_hash as last_hash"])
          .whereRef("scanned_blocks.chain_id", "=", "scans.chain_id")
          .orderBy("scanned_blocks.block_number", "desc")
          .limit(1)
          .as("last"),
      (join) => join.onTrue(),
    )
    .select(["scans.block_number", "last.last_number", "last.last_hash"])
    .where("scans.chain_id", "=", chainId)
    .executeTakeFirst();
  const { block_number = -1, last_number = null, last_hash = null } = row ?? {};
  const last =
    last_number === null || last_hash === null ? undefined : { block_number: last_number, block_hash: last_hash };
  return { scanned: block_number, last };
}

/**
 * Records the last scanned block. Prevents other processes from scanning the chain until the transaction ends.
 *
 * @param after if set, does nothing unless this is the last scanned block
 * @returns whether the block was recorded
 */
export async function recordScannedBlock(
  db: Database,
  chainId: number,
  block: { readonly number: number; readonly hash: string },
  after?: number,
): Promise<boolean> {
  const moved = await db
    .with("moved", (query) => {
      const update = query.updateTable("scans").set({ block_number: block.number }).where("chain_id", "=", chainId);
      return (after === undefined ? update : update.where("block_number", "=", after)).returning("chain_id");
    })
    .with("remembered", (query) =>
      query
        .insertInto("scanned_blocks")
        .columns(["chain_id", "block_number", "block_hash"])
        .expression((row) =>
          row
            .selectFrom("moved")
            .select([
              "moved.chain_id",
              sql<number>`${block.number}::bigint`.as("block_number"),
              sql<string>`${block.hash}::text`.as("block_hash"),
            ]),
        )
        .onConflict((conflict) =>
          conflict.columns(["chain_id", "block_number"]).doUpdateSet({ block_hash: block.hash }),
        ),
    )
    .with("forgotten", (query) =>
      query
        .deleteFrom("scanned_blocks")
        .using("moved")
        .whereRef("scanned_blocks.chain_id", "=", "moved.chain_id")
        .where("scanned_blocks.block_number", "<", block.number - BLOCKS_REMEMBERED),
    )
    .selectFrom("moved")
    .select("chain_id")
    .execute();
  return moved.length > 0;
}

/** Block after the last scanned block. */
export interface NextBlock {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
}

/**
 * Scans the next block: records it with its deposits, and finds the deposits to settle. Uses one statement, because it
 * runs for every block. Does nothing after a reorg, or if a deposit in these transactions was seen before.
 *
 * @param upToBlock last block of new deposits to settle
 * @returns undefined if the block was not scanned
 */
export async function scanNextBlock(
  db: Database,
  chainId: number,
  { number, hash, parentHash }: NextBlock,
  deposits: readonly NewDeposit[],
  upToBlock: number,
): Promise<DepositToSettle[] | undefined> {
  const id = sql`${chainId}::bigint`;
  const block = sql`${number}::bigint`;
  const { rows } = await sql<DepositToSettle | Record<keyof DepositToSettle, null>>`
    with found as (
      select * from jsonb_populate_recordset(null::deposits, ${toJson(deposits)}::jsonb)
    ), moved as (
      update scans set block_number = ${block}
      where chain_id = ${id} and block_number = ${block} - 1
        and exists (
          select from scanned_blocks
          where chain_id = ${id} and block_number = ${block} - 1 and block_hash = ${parentHash})
        -- A fill's block is remembered before its scan.
        and not exists (
          select from scanned_blocks where chain_id = ${id} and block_number >= ${block} and block_hash <> ${hash})
        and not exists (select from deposits where chain_id = ${id} and tx_hash in (select tx_hash from found))
      returning chain_id
    ), remembered as (
      insert into scanned_blocks (chain_id, block_number, block_hash) select chain_id, ${block}, ${hash} from moved
      on conflict (chain_id, block_number) do nothing
    ), forgotten as (
      delete from scanned_blocks using moved
      where scanned_blocks.chain_id = moved.chain_id
        and scanned_blocks.block_number < ${block} - ${BLOCKS_REMEMBERED}::bigint
    ), noted as (
      insert into deposits select found.* from moved, found returning *
    ), open as (
      select * from deposits where chain_id = ${id} and ${isToSettle(upToBlock)}
      union all
      select * from noted where block_number <= ${upToBlock}::bigint
    )
    select open.*, request_ids.id as order_request_id
    from moved left join open on true left join request_ids on request_ids.order_id = open.order_id
    order by open.block_number, open.tx_hash, open.position`.execute(db);
  if (rows.length === 0) return undefined;
  return rows.filter((row): row is DepositToSettle => row.tx_hash !== null);
}

function toJson(deposits: readonly NewDeposit[]): string {
  const rows = deposits.map((deposit) => ({ ...deposit, state: "seen" }));
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value));
}

/** Remembers a block that was read before it was scanned, so that its reorg is detected. */
export async function rememberBlock(
  db: Database,
  chainId: number,
  block: { readonly number: number; readonly hash: string },
): Promise<void> {
  await db
    .insertInto("scanned_blocks")
    .values({ chain_id: chainId, block_number: block.number, block_hash: block.hash })
    .onConflict((conflict) => conflict.columns(["chain_id", "block_number"]).doNothing())
    .execute();
}

export function listScannedBlocks(db: Database, chainId: number): Promise<ScannedBlock[]> {
  return db
    .selectFrom("scanned_blocks")
    .select(["block_number", "block_hash"])
    .where("chain_id", "=", chainId)
    .orderBy("block_number", "desc")
    .limit(BLOCKS_REMEMBERED)
    .execute();
}

/**
 * Forgets the blocks above a given block after a reorg.
 *
 * @param scannedBlock last block to keep; scanning continues after it
 */
export async function forgetScannedBlocks(
  db: Database,
  chainId: number,
  blockNumber: number,
  scannedBlock: number,
): Promise<void> {
  await db.updateTable("scans").set({ block_number: scannedBlock }).where("chain_id", "=", chainId).execute();
  await db
    .deleteFrom("scanned_blocks")
    .where("chain_id", "=", chainId)
    .where("block_number", ">", blockNumber)
    .execute();
}

/** Prevents other processes from scanning the chain until the transaction ends. */
export async function lockScan(db: Database, chainId: number): Promise<number> {
  const row = await db
    .selectFrom("scans")
    .select("block_number")
    .where("chain_id", "=", chainId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row.block_number;
}
