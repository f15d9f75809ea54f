import type { FailReason } from "@crosscall/protocol/request";
import { type DepositRow, type DepositToSettle, moveDeposit } from "../../store/deposits.ts";
import { failQueuedFastFill, releaseFastFill } from "../../store/fastFills.ts";
import { payRequest } from "../../store/requests/payRequest.ts";
import {
  findRequest,
  findRequestByOrderId,
  lockRequest,
  noteDepositBlock,
  type RequestRow,
} from "../../store/requests/requests.ts";
import { transition, type Transition } from "../../store/requests/transitions.ts";
import type { Database, StoreTransaction } from "../../store/schema.ts";
import {
  addTransaction,
  findTransaction,
  type Inclusion,
  listInputTransactions,
  recordContents,
  recordInclusion,
  type TransactionContents,
} from "../../store/transactions.ts";
import { payFastFill } from "../fastFill.ts";
import { hasSeveralInputs, inputIndexOf } from "../inputs.ts";
import type { ChainReader, Recorder, SolverParts, Timed } from "../solverParts.ts";
import { insertReturnRequest } from "./returnRequest.ts";

/**
 * Assigns a confirmed deposit to the request that it pays for, or to a new request that returns it. Uses one
 * transaction, so a deposit is taken once.
 */
export async function takeDeposit(
  parts: SolverParts,
  deposit: DepositToSettle,
  contents: TransactionContents,
): Promise<void> {
  const requestId = deposit.order_request_id;
  if (deposit.request_id === null && requestId !== null) {
    const job = await parts.store.jobs.insertion({ requestId });
    const at = new Date(parts.clock.now());
    if (await payRequest(parts.store.db, { requestId, deposit, contents, at, job })) return;
  }
  await parts.store.db.transaction().execute(async (db) => {
    const known =
      deposit.request_id === null
        ? await findRequestByOrderId(db, deposit.order_id)
        : await findRequest(db, deposit.request_id);
    if (known !== undefined && (await assignTo(parts, db, known, deposit, contents))) {
      await settle(parts, db, deposit, known.id);
      return;
    }
    // The id of a return is derived from the deposit, so the same return is found after a reorg.
    if (parts.currencies.find(deposit.chain_id, deposit.currency) === undefined) {
      parts.log.warn(
        { chainId: deposit.chain_id, txHash: deposit.tx_hash },
        "an unattributed deposit in an unknown currency",
      );
      await moveDeposit(db, deposit, { state: "ignored" });
      return;
    }
    const reason = await reasonOf(parts, db, known, deposit);
    const returned = await insertReturnRequest(parts, db, { deposit, parent: known, reason });
    await insertDeposit(db, returned, deposit, contents);
    await settle(parts, db, deposit, returned);
    parts.log.warn({ requestId: returned, txHash: deposit.tx_hash, reason }, "a deposit is returned");
  });
}

async function settle(parts: Recorder, db: StoreTransaction, deposit: DepositRow, requestId: string): Promise<void> {
  if (!(await moveDeposit(db, deposit, { state: "taken", request_id: requestId }))) throw new TakenElsewhere();
  await parts.store.jobs.add({ requestId }, db);
}

/** Thrown to roll back if another process took the deposit. */
export class TakenElsewhere extends Error {}

/**
 * Returns whether the request takes the deposit, either as the first deposit of its input or as the deposit that the
 * input had before a reorg.
 */
async function assignTo(
  parts: ChainReader & Timed,
  db: Database,
  request: RequestRow,
  deposit: DepositRow,
  contents: TransactionContents,
): Promise<boolean> {
  const at = new Date(parts.clock.now());
  // A deposit on another chain has no origin block.
  const set: { deposit_block?: number } =
    deposit.chain_id === request.origin_chain_id ? { deposit_block: deposit.block_number } : {};
  const index = inputIndexOf(parts, request, deposit);
  if (index === undefined) return false;
  const present = await findTransaction(db, request.id, "deposit", index);
  if (present !== undefined) {
    if (deposit.request_id !== request.id) return false;
    await recordInclusion(db, present.id, inclusionOf(deposit));
    await recordContents(db, present.id, contents);
    if (set.deposit_block !== undefined) await noteDepositBlock(db, request.id, set);
    await unmark(db, request.id, index, { at, set });
    await releaseFastFill(db, request.id, BigInt(deposit.amount));
    return true;
  }
  // Locks the request. A fast fill that fails concurrently either waits for this lock and then finds the deposit, or
  // its failure is already visible.
  await lockRequest(db, request.id);
  if (await payFastFill(db, request, deposit)) {
    await insertDeposit(db, request.id, deposit, contents);
    return true;
  }
  const paid = await listInputTransactions(db, request.id, "deposit");
  const isMoved = await transition(db, {
    requestId: request.id,
    from: ["waiting", "depositing"],
    to: paid.length + 1 < request.input_count ? "depositing" : "pending",
    at,
    set,
  });
  if (!isMoved) return false;
  // The ordinary fill replaces the queued fast fill.
  await failQueuedFastFill(db, request.id);
  await insertDeposit(db, request.id, deposit, contents, index);
  return true;
}

/** Handles a deposit that is included again: its fill is paid for again, and an unfilled deposit is refunded. */
async function unmark(
  db: Database,
  requestId: string,
  inputIndex: number,
  change: Pick<Transition, "at" | "set">,
): Promise<void> {
  // Reads the request after locking the deposit's row. Any transaction that ends the request for this deposit also
  // locks this row, or the request.
  await lockRequest(db, requestId);
  const request = await findRequest(db, requestId);
  const reason = "DEPOSIT_INCLUDED_AGAIN";
  if (request !== undefined && hasSeveralInputs(request) && request.status !== "success") {
    // The refunds of the other deposits may have ended the request.
    if ((await findTransaction(db, requestId, "refund", inputIndex)) !== undefined) return;
    await transition(db, {
      requestId,
      from: ["refund", "failure"],
      hasFailReason: true,
      to: "pending",
      reason,
      at: change.at,
    });
    return;
  }
  if (request?.fail_reason !== "DEPOSIT_REORGED") return;
  const deposits = await listInputTransactions(db, requestId, "deposit");
  if (deposits.some(({ status }) => status === "pending")) return;
  if (request.status === "success") {
    const set = { ...change.set, fail_reason: null };
    await transition(db, { requestId, from: ["success"], to: "success", reason, ...change, set });
  } else {
    await transition(db, { requestId, from: ["failure"], to: "pending", reason, ...change });
  }
}

async function reasonOf(
  parts: ChainReader,
  db: Database,
  request: RequestRow | undefined,
  deposit: DepositRow,
): Promise<FailReason> {
  const index = request && inputIndexOf(parts, request, deposit);
  const paid =
    request === undefined || index === undefined ? undefined : await findTransaction(db, request.id, "deposit", index);
  return paid === undefined ? "ORPHANED_DEPOSIT_REFUND" : "DOUBLE_SPEND";
}

async function insertDeposit(
  db: Database,
  requestId: string,
  deposit: DepositRow,
  contents: TransactionContents,
  inputIndex = 0,
): Promise<void> {
  const row =
    (await addTransaction(db, { ...depositRow(deposit, requestId), input_index: inputIndex })) ??
    (await findTransaction(db, requestId, "deposit", inputIndex));
  if (row !== undefined) await recordContents(db, row.id, contents);
}

function depositRow(deposit: DepositRow, requestId: string) {
  return {
    request_id: requestId,
    purpose: "deposit" as const,
    chain_id: deposit.chain_id,
    hash: deposit.tx_hash,
    nonce: null,
    signed: null,
    created_at: deposit.seen_at,
    ...inclusionOf(deposit),
  };
}

/** Compares the deposits, because a contract can deposit a different amount or currency in another block. */
function inclusionOf(deposit: DepositRow): Required<Inclusion> {
  const { block_number, block_timestamp, fee, gas_used, amount, currency, depositor: sender } = deposit;
  const moved = { amount: BigInt(amount), currency, sender };
  return { status: "success", block_number, block_timestamp, fee: BigInt(fee), gas_used, ...moved };
}
