import type { Hex } from "viem";

import type { DevChain } from "../../devchain/devChain.ts";
import { findReceipt } from "../../devchain/readChain.ts";
import { findVanishedDeposit, listDeposits, noteDeposit } from "../../store/deposits.ts";
import { findRequestByOrderId, transition } from "../../store/requests.ts";
import { findScannedBlock, lockScan, recordScannedBlock } from "../../store/scans.ts";
import { readContents } from "../readContents.ts";
import type { SolverParts } from "../solverParts.ts";
import { readDeposits } from "./readDeposits.ts";
import { followReorg, loseDeposit, settleLostDeposits } from "./reorg.ts";
import { TakenElsewhere, takeDeposit } from "./takeDeposit.ts";

/** Many nodes reject more than about a thousand. */
const BLOCKS_PER_CALL = 1_000;

/**
 * Continues the scan of a chain, after a reorg from the last common block, and assigns confirmed deposits to their
 * requests.
 *
 * @param head the latest block
 * @returns false if the chain changed meanwhile and must be read again
 */
export async function scanDeposits(
  parts: SolverParts,
  chain: DevChain,
  head: { readonly number: bigint; readonly hash: Hex },
): Promise<boolean> {
  const { db } = parts.store;
  await followReorg(parts, chain);
  const latest = Number(head.number);
  let scanned = await findScannedBlock(db, chain.id);
  while (scanned < latest) {
    const toBlock = Math.min(scanned + BLOCKS_PER_CALL, latest);
    if (!(await scanRange(parts, chain, scanned, toBlock))) return false;
    scanned = toBlock;
  }
  await settleLostDeposits(parts, chain);
  return takeConfirmed(parts, chain, latest);
}

/** @returns false if another process scanned it, or the chain changed meanwhile */
async function scanRange(
  parts: Pick<SolverParts, "clock" | "log" | "store">,
  chain: DevChain,
  scanned: number,
  toBlock: number,
): Promise<boolean> {
  const seenAt = new Date(parts.clock.now());
  const last = await chain.client.getBlock({ blockNumber: BigInt(toBlock) });
  const deposits = await readDeposits(chain, { fromBlock: BigInt(scanned + 1), toBlock: BigInt(toBlock) }, seenAt);
  const same = await chain.client.getBlock({ blockNumber: BigInt(toBlock) });
  if (last.hash !== same.hash) return false;
  return parts.store.db.transaction().execute(async (db) => {
    if ((await lockScan(db, chain.id)) !== scanned) return false;
    for (const deposit of deposits) {
      const former = await findVanishedDeposit(db, deposit);
      if (former !== undefined && former.order_id !== deposit.order_id) await loseDeposit(parts, db, former);
      await noteDeposit(db, deposit);
      if (chain.depositConfirmations === 0) continue;
      const request = await findRequestByOrderId(db, deposit.order_id);
      if (request === undefined) continue;
      await transition(db, { requestId: request.id, from: ["waiting"], to: "depositing", at: seenAt });
    }
    await recordScannedBlock(db, chain.id, { number: toBlock, hash: last.hash });
    return true;
  });
}

async function takeConfirmed(parts: SolverParts, chain: DevChain, latest: number): Promise<boolean> {
  for (const deposit of await listDeposits(parts.store.db, chain.id, "seen", latest - chain.depositConfirmations)) {
    const receipt = await findReceipt(chain, deposit.tx_hash);
    // The block was just replaced; the next scan finds the reorg.
    if (receipt === undefined) return false;
    try {
      await takeDeposit(parts, deposit, await readContents(chain, receipt));
    } catch (error) {
      if (!(error instanceof TakenElsewhere)) throw error;
    }
  }
  return true;
}
