import { InvalidStateError } from "@crosscall/sdk/internal/core/errors";
import type { Database } from "./store.ts";

/**
 * Reorgs up to this depth are detected to the block; for deeper ones, scanning restarts at the oldest remembered block.
 */
const BLOCKS_REMEMBERED = 1_024;

/**
 * Ties the store to a chain by the hash of a block that no other chain has. A store that followed a chain must not be
 * used with another of the same id: its transactions would be sent there.
 *
 * @param scannedBlock a new store skips blocks up to this one; -1 for none
 * @throws {@link InvalidStateError} if the store knows another such block for this chain id
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
    message: `the database belongs to another chain ${chainId}: its first block was ${row.genesis_hash}, now it is ${genesisHash}`,
    hint: "Use a new database, or the chains that this one was created with (in-process chains are new on each start).",
  });
}

/** -1 if none was scanned. */
export async function findScannedBlock(db: Database, chainId: number): Promise<number> {
  const row = await db.selectFrom("scans").select("block_number").where("chain_id", "=", chainId).executeTakeFirst();
  return row?.block_number ?? -1;
}

export async function recordScannedBlock(
  db: Database,
  chainId: number,
  block: { readonly number: number; readonly hash: string },
): Promise<void> {
  await db.updateTable("scans").set({ block_number: block.number }).where("chain_id", "=", chainId).execute();
  await db
    .insertInto("scanned_blocks")
    .values({ chain_id: chainId, block_number: block.number, block_hash: block.hash })
    .onConflict((conflict) => conflict.columns(["chain_id", "block_number"]).doUpdateSet({ block_hash: block.hash }))
    .execute();
  await db
    .deleteFrom("scanned_blocks")
    .where("chain_id", "=", chainId)
    .where("block_number", "<", block.number - BLOCKS_REMEMBERED)
    .execute();
}

/** Remembers a block that was read before it was scanned, so that a reorg of it is noticed. */
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

export function listScannedBlocks(
  db: Database,
  chainId: number,
  limit = BLOCKS_REMEMBERED,
): Promise<{ block_number: number; block_hash: string }[]> {
  return db
    .selectFrom("scanned_blocks")
    .select(["block_number", "block_hash"])
    .where("chain_id", "=", chainId)
    .orderBy("block_number", "desc")
    .limit(limit)
    .execute();
}

/**
 * Forgets the blocks above one after a reorg.
 *
 * @param scannedBlock scanning continues after this block
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

/** Until the transaction ends, no other process scans the chain. */
export async function lockScan(db: Database, chainId: number): Promise<number> {
  const row = await db
    .selectFrom("scans")
    .select("block_number")
    .where("chain_id", "=", chainId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row.block_number;
}
