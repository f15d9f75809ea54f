import type { DevChain } from "../../devchain/devChain.ts";
import { findBlockHash, findReceipt } from "../../devchain/readChain.ts";
import { findVanishedDeposit, listDepositsToSettle, type NewDeposit, noteDeposit } from "../../store/deposits.ts";
import { findRequestByOrderId, transition } from "../../store/requests.ts";
import { recordScannedBlock } from "../../store/scans.ts";
import type { Database } from "../../store/store.ts";
import { attemptEach } from "../attemptEach.ts";
import type { DepositRow } from "../../store/tables/depositTables.ts";
import { readContents } from "../readContents.ts";
import type { SolverParts } from "../solverParts.ts";
import type { Head } from "./head.ts";
import { readDeposits } from "./readDeposits.ts";
import { depositFacts, followReorg, loseDeposit, settleLostDeposits } from "./reorg.ts";
import { TakenElsewhere, takeDeposit } from "./takeDeposit.ts";

/** Many nodes reject more than about a thousand. */
const BLOCKS_PER_CALL = 1_000;

/**
 * Continues the scan of a chain, after a reorg from the last common block, and assigns confirmed deposits to their
 * requests.
 *
 * @returns false if the chain must be read again: it changed meanwhile, or a deposit could not be processed
 */
export async function scanDeposits(
  parts: SolverParts,
  chain: DevChain,
  head: Head,
  signal: AbortSignal,
): Promise<boolean> {
  const latest = Number(head.number);
  let scanned = await followReorg(parts, chain, head);
  while (scanned < latest) {
    const toBlock = Math.min(scanned + BLOCKS_PER_CALL, latest);
    const last = toBlock === latest ? head : await chain.client.getBlock({ blockNumber: BigInt(toBlock) });
    if (!(await scanRange(parts, chain, scanned, last, signal))) return false;
    scanned = toBlock;
  }
  const deposits = await listDepositsToSettle(parts.store.db, chain.id, latest - chain.depositConfirmations);
  const { vanished = [], seen = [] } = Object.groupBy(deposits, ({ state }) => state);
  const areSettled = await settleLostDeposits(parts, vanished, signal);
  return (await takeConfirmed(parts, chain, seen, signal)) && areSettled;
}

/** @returns false if another process scanned it, or the chain changed meanwhile */
async function scanRange(
  parts: Pick<SolverParts, "clock" | "log" | "store">,
  chain: DevChain,
  scanned: number,
  last: Head,
  signal: AbortSignal,
): Promise<boolean> {
  const seenAt = new Date(parts.clock.now());
  const deposits = await readRange(chain, scanned, last, seenAt);
  if (deposits === undefined) return false;
  const record = (db: Database): Promise<boolean> =>
    recordScannedBlock(db, chain.id, { number: Number(last.number), hash: last.hash }, scanned);
  if (deposits.length === 0) return record(parts.store.db);
  const isRecorded = await parts.store.db.transaction().execute(async (db) => {
    if (!(await record(db))) return false;
    for (const deposit of deposits) {
      const former = await findVanishedDeposit(db, deposit);
      if (former !== undefined && former.order_id !== deposit.order_id) await loseDeposit(parts, db, former);
      await noteDeposit(db, deposit);
    }
    return true;
  });
  if (!isRecorded || chain.depositConfirmations === 0) return isRecorded;
  await attemptEach(parts, deposits, {
    what: "announce a deposit",
    facts: depositFacts,
    async attempt({ order_id }) {
      const request = await findRequestByOrderId(parts.store.db, order_id);
      if (request === undefined) return;
      await transition(parts.store.db, { requestId: request.id, from: ["waiting"], to: "depositing", at: seenAt });
    },
    signal,
  });
  return true;
}

/** Undefined if the chain changed meanwhile. */
async function readRange(
  chain: DevChain,
  scanned: number,
  last: Head,
  seenAt: Date,
): Promise<NewDeposit[] | undefined> {
  const isThere = async (): Promise<boolean> => (await findBlockHash(chain, last.number)) === last.hash;
  const fromBlock = BigInt(scanned + 1);
  if (fromBlock < last.number) {
    const deposits = await readDeposits(chain, { fromBlock, toBlock: last.number }, seenAt, last);
    return (await isThere()) ? deposits : undefined;
  }
  try {
    // If a reorg removes the block later, the next scan finds that the recorded block is gone.
    return await readDeposits(chain, { blockHash: last.hash }, seenAt, last);
  } catch (error) {
    if (await isThere()) throw error;
    return undefined;
  }
}

async function takeConfirmed(
  parts: SolverParts,
  chain: DevChain,
  deposits: readonly DepositRow[],
  signal: AbortSignal,
): Promise<boolean> {
  const replaced: DepositRow[] = [];
  const areTaken = await attemptEach(parts, deposits, {
    what: "take a deposit",
    facts: depositFacts,
    async attempt(deposit) {
      const receipt = await findReceipt(chain, deposit.tx_hash);
      if (receipt === undefined) {
        // Its block was just replaced; the next scan finds the reorg.
        replaced.push(deposit);
        return;
      }
      try {
        await takeDeposit(parts, deposit, await readContents(chain, receipt));
      } catch (error) {
        if (!(error instanceof TakenElsewhere)) throw error;
      }
    },
    signal,
  });
  return areTaken && replaced.length === 0;
}
