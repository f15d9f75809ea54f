import type { DevChain } from "../../devchain/devChain.ts";
import { findBlockHash, findReceipt } from "../../devchain/readChain.ts";
import { isReturn } from "../../market/requestKind.ts";
import { type DepositRow, hasLostDeposit, moveDeposit, vanishDeposits } from "../../store/deposits.ts";
import { holdAgain, releaseFastFill } from "../../store/fastFills.ts";
import { findRequest, lockRequest, type RequestRow } from "../../store/requests/requests.ts";
import { transition } from "../../store/requests/transitions.ts";
import {
  findScan,
  findScannedBlock,
  forgetScannedBlocks,
  listScannedBlocks,
  lockScan,
  type ScannedBlock,
} from "../../store/scans.ts";
import type { Database, StoreTransaction } from "../../store/schema.ts";
import {
  deleteTransaction,
  findTransaction,
  listTransactionsAbove,
  recordInclusion,
  revokeInclusion,
  type TransactionRow,
} from "../../store/transactions.ts";
import { attemptEach } from "../attemptEach.ts";
import { readInclusion } from "../settleTransaction.ts";
import { hasSeveralInputs, inputIndexOf } from "../inputs.ts";
import type { ChainReader, Observer, Recorder, Timed } from "../solverParts.ts";
import type { Head } from "./readDeposits.ts";

/**
 * After a reorg, returns to the last common block. Blocks above it are scanned again, and the solver's transactions in
 * them are sent again.
 *
 * @returns the last scanned block
 */
export async function followReorg(parts: Observer, chain: DevChain, head: Head): Promise<number> {
  const { db } = parts.store;
  const { scanned, last } = await findScan(db, chain.id);
  const common = last === undefined ? undefined : await findCommonBlock(parts, chain, head, last);
  if (common === undefined) return scanned;
  parts.log.warn({ chainId: chain.id, from: common, scanned }, "the chain was reorganized");

  const rows = await listTransactionsAbove(db, chain.id, common);
  const found = await Promise.all(
    rows.map(async (row) => {
      const receipt = await findReceipt(chain, row.hash);
      return { row, inclusion: receipt === undefined ? undefined : await readInclusion(chain, receipt) };
    }),
  );
  await db.transaction().execute(async (transaction) => {
    if ((await lockScan(transaction, chain.id)) !== scanned) return;
    await vanishDeposits(transaction, chain.id, common, new Date(parts.clock.now()));
    await forgetScannedBlocks(transaction, chain.id, common, Math.min(scanned, common));
    for (const { row, inclusion } of found) {
      if (inclusion?.status === row.status) {
        await recordInclusion(transaction, row.id, inclusion);
      } else {
        await reopen(parts, transaction, row);
      }
    }
  });
  return findScannedBlock(db, chain.id);
}

/** Finds the last common block: -1 if the chain has none of the scanned blocks, undefined if it has all of them. */
async function findCommonBlock(
  parts: Recorder,
  chain: DevChain,
  head: Head,
  last: ScannedBlock,
): Promise<number | undefined> {
  const isHead = head.hash === last.block_hash;
  const isParent = head.parentHash === last.block_hash && head.number === BigInt(last.block_number + 1);
  if (isHead || isParent || (await findBlockHash(chain, BigInt(last.block_number))) === last.block_hash)
    return undefined;
  const blocks = await listScannedBlocks(parts.store.db, chain.id);
  for (const { block_number, block_hash } of blocks) {
    if ((await findBlockHash(chain, BigInt(block_number))) === block_hash) return block_number;
  }
  return -1;
}

/** Makes a request wait again for a fill or refund that is no longer in a block. */
async function reopen(parts: Timed, db: Database, row: TransactionRow): Promise<void> {
  const at = new Date(parts.clock.now());
  // `followTransactions` sends it again, or uses up its nonce.
  await revokeInclusion(db, row.id);
  if (row.purpose !== "fill" && row.purpose !== "refund") return;
  if (row.purpose === "refund") {
    const request = await findRequest(db, row.request_id);
    // With several inputs, the other refunds also determine the status.
    const isOneOfSeveral = request !== undefined && hasSeveralInputs(request);
    const ofOne = row.status === "success" ? (["refund"] as const) : (["failure"] as const);
    const from = isOneOfSeveral ? (["refund", "failure"] as const) : ofOne;
    await transition(db, { requestId: row.request_id, from, to: "pending", at, reason: "REFUND_REORGED" });
    return;
  }
  if (row.status === "success") {
    await transition(db, {
      requestId: row.request_id,
      from: ["success"],
      to: "submitted",
      at,
      reason: "FILL_REORGED",
      set: { fail_reason: null, fill_time_seconds: null },
    });
    return;
  }
  // Locks the request, because the signer of a refund also updates it. The signer either waits for this lock, or its
  // change is already visible.
  await lockRequest(db, row.request_id);
  // A failed fill is reopened only if no refund was sent.
  if ((await findTransaction(db, row.request_id, "refund")) !== undefined) return;
  const isReopened = await transition(db, {
    requestId: row.request_id,
    // If the request was filled before its deposit, the request is already waiting.
    from: ["pending", "waiting"],
    to: "submitted",
    at,
    reason: "FILL_REORGED",
    set: { fail_reason: null, fail_details: null },
  });
  if (!isReopened) return;
  await holdAgain(db, row.request_id, "failed");
  const deposit = await findTransaction(db, row.request_id, "deposit");
  if (deposit?.status === "success") await releaseFastFill(db, row.request_id, BigInt(deposit.amount));
}

/**
 * Gives up lost deposits. Runs after the chain is scanned to its head again.
 *
 * @returns false if a deposit could not be processed
 */
export async function settleLostDeposits(
  parts: Observer & ChainReader,
  deposits: readonly DepositRow[],
  signal: AbortSignal,
): Promise<boolean> {
  return attemptEach(parts, deposits, {
    what: "give up a deposit that a reorg removed",
    facts: depositFacts,
    attempt: (deposit) => parts.store.db.transaction().execute((db) => loseDeposit(parts, db, deposit)),
    signal,
  });
}

/** Returns a deposit's fields for the log. */
export function depositFacts({
  chain_id,
  tx_hash,
  order_id,
  request_id,
}: Pick<DepositRow, "chain_id" | "tx_hash" | "order_id"> & Partial<Pick<DepositRow, "request_id">>): object {
  return { requestId: request_id, orderId: order_id, chainId: chain_id, depositTxHash: tx_hash };
}

/** Records that a deposit is no longer on the chain, or now pays for another order. */
export async function loseDeposit(
  parts: Observer & ChainReader,
  db: StoreTransaction,
  deposit: DepositRow,
): Promise<void> {
  if (!(await moveDeposit(db, deposit, { state: "lost" })) || deposit.request_id === null) return;
  // Locks the request, because the signer of a fill or refund also updates it. The signer either waits for this lock,
  // or its change is already visible.
  await lockRequest(db, deposit.request_id);
  const request = await findRequest(db, deposit.request_id);
  const index = request && inputIndexOf(parts, request, deposit);
  const row =
    request === undefined || index === undefined ? undefined : await findTransaction(db, request.id, "deposit", index);
  if (request === undefined || row?.hash !== deposit.tx_hash) return;
  if (await isFree(db, request)) {
    // The solver paid nothing, so the request waits for its deposit again.
    await deleteTransaction(db, row.id);
    await transition(db, {
      requestId: request.id,
      from: FREE,
      to: "depositing",
      at: new Date(parts.clock.now()),
      reason: "DEPOSIT_REORGED",
      set: {
        deposit_block: null,
        ...(isReturn(request)
          ? {}
          : { fail_reason: null, fail_details: null, failed_call_data: null, failed_block: null }),
      },
    });
    // Adds a job, which sends the sweep of a deposit address again.
    await parts.store.jobs.add({ requestId: request.id }, db);
    return;
  }
  await revokeInclusion(db, row.id);
  await holdAgain(db, request.id, "released");
  if (request.status !== "success") return;
  parts.log.error({ requestId: request.id, depositTxHash: row.hash }, "a fill lost its deposit in a reorg");
  await transition(db, {
    requestId: request.id,
    from: ["success"],
    to: "success",
    at: new Date(parts.clock.now()),
    set: { fail_reason: "DEPOSIT_REORGED" },
  });
}

/** Statuses in which a request can lose its deposit without a loss. It is `depositing` while other inputs are unpaid. */
const FREE = ["depositing", "pending"] as const satisfies readonly RequestRow["status"][];

/** Returns whether the solver has signed neither a fill nor a refund. */
async function isFree(db: Database, request: RequestRow): Promise<boolean> {
  if (!FREE.some((status) => status === request.status)) return false;
  const fill = await findTransaction(db, request.id, "fill");
  return fill === undefined && (await findTransaction(db, request.id, "refund")) === undefined;
}

export async function reasonOfTimeout(
  db: Database,
  requestId: string,
): Promise<"DEPOSIT_REORGED" | "DEPOSIT_CONFIRMATION_TIMEOUT"> {
  return (await hasLostDeposit(db, requestId)) ? "DEPOSIT_REORGED" : "DEPOSIT_CONFIRMATION_TIMEOUT";
}
