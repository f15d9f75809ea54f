import type { DevChain } from "../../devchain/devChain.ts";
import { findBlockHash, findReceipt } from "../../devchain/readChain.ts";
import { isReturn } from "../../market/requestKind.ts";
import { hasLostDeposit, listDeposits, moveDeposit, vanishDeposits } from "../../store/deposits.ts";
import { findRequest, lockRequest, transition } from "../../store/requests.ts";
import { findScannedBlock, forgetScannedBlocks, listScannedBlocks, lockScan } from "../../store/scans.ts";
import type { Database, StoreTransaction } from "../../store/store.ts";
import type { DepositRow } from "../../store/tables/depositTables.ts";
import type { RequestRow } from "../../store/tables/requestTables.ts";
import type { TransactionRow } from "../../store/tables/transactionTables.ts";
import {
  deleteTransaction,
  findTransaction,
  listTransactionsAbove,
  recordInclusion,
  revokeInclusion,
} from "../../store/transactions.ts";
import { readInclusion } from "../settleTransaction.ts";
import type { SolverParts } from "../solverParts.ts";

/**
 * Looks whether a chain is still the one that was scanned. Where it is not, goes back to the last block that both have:
 * what was read above it is read again, and transactions of the solver that are in no block any more are sent again.
 */
export async function followReorg(parts: Pick<SolverParts, "clock" | "log" | "store">, chain: DevChain): Promise<void> {
  const { db } = parts.store;
  const scanned = await findScannedBlock(db, chain.id);
  const common = await findCommonBlock(parts, chain);
  if (common === undefined) return;
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
    await vanishDeposits(transaction, chain.id, common);
    await forgetScannedBlocks(transaction, chain.id, common, Math.min(scanned, common));
    for (const { row, inclusion } of found) {
      if (inclusion?.status === row.status) {
        await recordInclusion(transaction, row.id, inclusion);
      } else {
        await reopen(parts, transaction, row);
      }
    }
  });
}

/** The last scanned block that the chain still has, -1 where it has none of them; undefined where it has all. */
async function findCommonBlock(parts: Pick<SolverParts, "store">, chain: DevChain): Promise<number | undefined> {
  const [last] = await listScannedBlocks(parts.store.db, chain.id, 1);
  if (last === undefined) return undefined;
  const isThere = (await findBlockHash(chain, BigInt(last.block_number))) === last.block_hash;
  if (isThere) return undefined;
  const blocks = await listScannedBlocks(parts.store.db, chain.id);
  for (const { block_number, block_hash } of blocks) {
    if ((await findBlockHash(chain, BigInt(block_number))) === block_hash) return block_number;
  }
  return -1;
}

/** A fill or refund that is in no block any more: its request waits for it again. */
async function reopen(parts: Pick<SolverParts, "clock">, db: Database, row: TransactionRow): Promise<void> {
  const at = new Date(parts.clock.now());
  // Whoever follows the chain sends it again, or uses its nonce up where its request went another way.
  await revokeInclusion(db, row.id);
  if (row.purpose !== "fill" && row.purpose !== "refund") return;
  if (row.purpose === "refund") {
    const from = row.status === "success" ? (["refund"] as const) : (["failure"] as const);
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
  // Who signs the refund moves the request, too, and so waits for this or is seen.
  await lockRequest(db, row.request_id);
  // A fill that had failed is taken up again only while nothing was sent back.
  if ((await findTransaction(db, row.request_id, "refund")) !== undefined) return;
  await transition(db, {
    requestId: row.request_id,
    from: ["pending"],
    to: "submitted",
    at,
    reason: "FILL_REORGED",
    set: { fail_reason: null, fail_details: null },
  });
}

/** Settles what the chain has no longer, once it is read to its end again. */
export async function settleLostDeposits(
  parts: Pick<SolverParts, "clock" | "log" | "store">,
  chain: DevChain,
): Promise<void> {
  for (const deposit of await listDeposits(parts.store.db, chain.id, "vanished")) {
    await parts.store.db.transaction().execute((db) => loseDeposit(parts, db, deposit));
  }
}

/** Takes a deposit whose block is gone from the request that it paid: the chain has it no longer, or for another order. */
export async function loseDeposit(
  parts: Pick<SolverParts, "clock" | "log" | "store">,
  db: StoreTransaction,
  deposit: DepositRow,
): Promise<void> {
  if (!(await moveDeposit(db, deposit, { state: "lost" })) || deposit.request_id === null) return;
  // Who signs for the request moves it, too, and so waits for this or is seen.
  await lockRequest(db, deposit.request_id);
  const request = await findRequest(db, deposit.request_id);
  const row = request === undefined ? undefined : await findTransaction(db, request.id, "deposit");
  if (request === undefined || row?.hash !== deposit.tx_hash) return;
  if (await isFree(db, request)) {
    // Nothing was paid out for it: the request waits for its deposit again.
    await deleteTransaction(db, row.id);
    await transition(db, {
      requestId: request.id,
      from: ["pending"],
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
    // A deposit address sends its sweep again.
    await parts.store.jobs.add({ requestId: request.id }, db);
    return;
  }
  await revokeInclusion(db, row.id);
  if (request.status !== "success") return;
  parts.log.error({ requestId: request.id, depositTxHash: row.hash }, "a fill is unpaid: its deposit was undone");
  await transition(db, {
    requestId: request.id,
    from: ["success"],
    to: "success",
    at: new Date(parts.clock.now()),
    set: { fail_reason: "DEPOSIT_REORGED" },
  });
}

/** Whether nothing of the solver is signed for a request that waits for a fill or a refund. */
async function isFree(db: Database, request: RequestRow): Promise<boolean> {
  if (request.status !== "pending") return false;
  const fill = await findTransaction(db, request.id, "fill");
  return fill === undefined && (await findTransaction(db, request.id, "refund")) === undefined;
}

/** Why a request whose deposit never came in the end fails. */
export async function reasonOfTimeout(
  db: Database,
  requestId: string,
): Promise<"DEPOSIT_REORGED" | "DEPOSIT_CONFIRMATION_TIMEOUT"> {
  return (await hasLostDeposit(db, requestId)) ? "DEPOSIT_REORGED" : "DEPOSIT_CONFIRMATION_TIMEOUT";
}
