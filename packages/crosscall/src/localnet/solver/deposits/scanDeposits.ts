import type { DevChain } from "../../devchain/devChain.ts";
import { findBlockHash, findReceipt } from "../../devchain/readChain.ts";
import {
  type DepositToSettle,
  findVanishedDeposit,
  listDepositsToSettle,
  type NewDeposit,
  noteDeposit,
} from "../../store/deposits.ts";
import { findRequestByOrderId } from "../../store/requests/requests.ts";
import { transition } from "../../store/requests/transitions.ts";
import { recordScannedBlock, scanNextBlock } from "../../store/scans.ts";
import type { Database } from "../../store/schema.ts";
import { attemptEach } from "../attemptEach.ts";
import { readContents } from "../readContents.ts";
import type { ChainReader, Observer, SolverParts } from "../solverParts.ts";
import { type Head, readDeposits, type ReadDeposits, type Receipts } from "./readDeposits.ts";
import { depositFacts, followReorg, loseDeposit, settleLostDeposits } from "./reorg.ts";
import { takeDeposit, TakenElsewhere } from "./takeDeposit.ts";

/** Maximum number of blocks per request. Many nodes reject ranges of more than about 1,000 blocks. */
const BLOCKS_PER_CALL = 1_000;

/**
 * Continues the scan of a chain and assigns confirmed deposits to their requests. After a reorg, continues from the
 * last common block.
 *
 * @param scannedHash hash of the block that this process scanned last
 * @returns false if the chain must be read again: it changed meanwhile, or a deposit could not be processed
 */
export async function scanDeposits(
  parts: SolverParts,
  chain: DevChain,
  head: Head,
  scannedHash: string | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const next = head.parentHash === scannedHash ? await scanHead(parts, chain, head, signal) : undefined;
  const { deposits, receipts } = next ?? { deposits: await catchUp(parts, chain, head, signal), receipts: NO_RECEIPTS };
  if (deposits === undefined) return false;
  const { vanished = [], seen = [] } = Object.groupBy(deposits, ({ state }) => state);
  const areSettled = await settleLostDeposits(parts, vanished, signal);
  return (await takeConfirmed(parts, chain, seen, receipts, signal)) && areSettled;
}

const NO_RECEIPTS: Receipts = new Map();

/** Scans the head in one statement. Returns undefined if the head does not follow the last scanned block. */
async function scanHead(
  parts: Observer & ChainReader,
  chain: DevChain,
  head: Head,
  signal: AbortSignal,
): Promise<{ readonly deposits: readonly DepositToSettle[]; readonly receipts: Receipts } | undefined> {
  const seenAt = new Date(parts.clock.now());
  const number = Number(head.number);
  const read = await readRange(chain, number - 1, head, seenAt);
  if (read === undefined) return undefined;
  const block = { number, hash: head.hash, parentHash: head.parentHash };
  const upToBlock = number - chain.depositConfirmations;
  const deposits = await scanNextBlock(parts.store.db, chain.id, block, read.deposits, upToBlock);
  if (deposits === undefined) return undefined;
  await announceDeposits(parts, chain, read.deposits, seenAt, signal);
  return { deposits, receipts: read.receipts };
}

/** Scans the chain up to its head. Returns undefined if the chain must be read again. */
async function catchUp(
  parts: Observer & ChainReader,
  chain: DevChain,
  head: Head,
  signal: AbortSignal,
): Promise<DepositToSettle[] | undefined> {
  const latest = Number(head.number);
  let scanned = await followReorg(parts, chain, head);
  while (scanned < latest) {
    const toBlock = Math.min(scanned + BLOCKS_PER_CALL, latest);
    const last = toBlock === latest ? head : await chain.client.getBlock({ blockNumber: BigInt(toBlock) });
    if (!(await scanRange(parts, chain, scanned, last, signal))) return undefined;
    scanned = toBlock;
  }
  return listDepositsToSettle(parts.store.db, chain.id, latest - chain.depositConfirmations);
}

/** @returns false if another process scanned the range, or the chain changed meanwhile */
async function scanRange(
  parts: Observer & ChainReader,
  chain: DevChain,
  scanned: number,
  last: Head,
  signal: AbortSignal,
): Promise<boolean> {
  const seenAt = new Date(parts.clock.now());
  const read = await readRange(chain, scanned, last, seenAt);
  if (read === undefined) return false;
  const { deposits } = read;
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
  if (isRecorded) await announceDeposits(parts, chain, deposits, seenAt, signal);
  return isRecorded;
}

/** Announces requests with a deposit that needs confirmations. */
async function announceDeposits(
  parts: Observer & ChainReader,
  chain: DevChain,
  deposits: readonly NewDeposit[],
  at: Date,
  signal: AbortSignal,
): Promise<void> {
  if (chain.depositConfirmations === 0) return;
  await attemptEach(parts, deposits, {
    what: "announce a deposit",
    facts: depositFacts,
    async attempt({ order_id }) {
      const request = await findRequestByOrderId(parts.store.db, order_id);
      if (request === undefined) return;
      await transition(parts.store.db, { requestId: request.id, from: ["waiting"], to: "depositing", at });
    },
    signal,
  });
}

/** Reads a range of blocks. Returns undefined if the chain changed meanwhile. */
async function readRange(
  chain: DevChain,
  scanned: number,
  last: Head,
  seenAt: Date,
): Promise<ReadDeposits | undefined> {
  const isThere = async (): Promise<boolean> => (await findBlockHash(chain, last.number)) === last.hash;
  const fromBlock = BigInt(scanned + 1);
  if (fromBlock < last.number) {
    const read = await readDeposits(chain, { fromBlock, toBlock: last.number }, seenAt, last);
    return (await isThere()) ? read : undefined;
  }
  try {
    // If a reorg removes the block later, the next scan detects that the recorded block no longer exists.
    return await readDeposits(chain, { blockHash: last.hash }, seenAt, last);
  } catch (error) {
    if (await isThere()) throw error;
    return undefined;
  }
}

async function takeConfirmed(
  parts: SolverParts,
  chain: DevChain,
  deposits: readonly DepositToSettle[],
  receipts: Receipts,
  signal: AbortSignal,
): Promise<boolean> {
  const replaced: DepositToSettle[] = [];
  const areTaken = await attemptEach(parts, deposits, {
    what: "take a deposit",
    facts: depositFacts,
    async attempt(deposit) {
      const receipt = receipts.get(deposit.tx_hash) ?? (await findReceipt(chain, deposit.tx_hash));
      if (receipt === undefined) {
        // Its block was just replaced. The next scan detects the reorg.
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
