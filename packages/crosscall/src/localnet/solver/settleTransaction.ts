import { type Hex, parseTransaction, type TransactionReceipt } from "viem";

import type { DevChain } from "../devchain/devChain.ts";
import { actualFees } from "../market/actualFees.ts";
import { adoptAttempt, type AttemptRow, endCancelled } from "../store/attempts.ts";
import { failFastFill } from "../store/fastFills.ts";
import { findRequest, lockRequest, type RequestRow } from "../store/requests/requests.ts";
import { type Transition, transition } from "../store/requests/transitions.ts";
import { rememberBlock } from "../store/scans.ts";
import type { StoreTransaction } from "../store/schema.ts";
import {
  findTransaction,
  type Inclusion,
  listInputTransactions,
  recordInclusion,
  recordSettled,
  type TransactionRow,
} from "../store/transactions.ts";
import { isSwapFill, swappedAmount } from "./delivery.ts";
import { diagnoseFill, type Diagnosis } from "./diagnoseFill.ts";
import { countOrderCalls } from "./fill.ts";
import { hasSeveralInputs } from "./inputs.ts";
import { readContents } from "./readContents.ts";
import type { Payer, Recorder, Reporter, FaultReader, SolverParts } from "./solverParts.ts";
import { settleSponsorship } from "./sponsorship.ts";

/** Minimum share of the gas limit that a transaction without enough gas uses, because the last call leaves 1/64. */
const OUT_OF_GAS_PERCENT = 98n;

export async function settleTransaction(
  parts: SolverParts,
  chain: DevChain,
  row: TransactionRow,
  receipt: TransactionReceipt,
  attempt?: AttemptRow,
  known?: RequestRow,
): Promise<void> {
  const request = known ?? (await findRequest(parts.store.db, row.request_id));
  if (request === undefined) {
    if (row.purpose === "claim") await recordClaim(parts, chain, row, receipt, attempt);
    return;
  }
  if (attempt?.is_cancellation === true) return settleCancellation(parts, row, attempt);

  const inclusion = await readFillInclusion(chain, request, row, receipt);
  const [contents, diagnosis] = await Promise.all([
    readContents(chain, receipt, (attempt ?? row).signed),
    row.purpose === "fill" && inclusion.status === "failure"
      ? explainFailure(parts, chain, request, row, receipt)
      : undefined,
  ]);
  await parts.store.db.transaction().execute(async (db) => {
    if (attempt !== undefined) await adoptAttempt(db, row, attempt);
    // Locks the request, so that a deposit that is taken concurrently either waits for the lock or is already visible.
    await recordSettled(db, row, { inclusion, blockHash: receipt.blockHash, contents });
    const at = new Date(parts.clock.now());
    if (row.purpose !== "fill" && row.purpose !== "refund") return;
    if (row.purpose === "refund") {
      // The request ends after the refunds of all inputs.
      if (hasSeveralInputs(request)) return parts.store.jobs.add({ requestId: request.id }, db);
      const to = inclusion.status === "success" ? "refund" : "failure";
      await transition(db, { requestId: request.id, from: ["pending"], hasFailReason: true, to, at });
      return;
    }
    if (diagnosis !== undefined) {
      const { failReason: fail_reason, details: fail_details } = diagnosis;
      await failFill(parts, db, request, { fail_reason, fail_details });
      return;
    }
    const isMoved = await transition(db, {
      requestId: request.id,
      from: ["submitted"],
      to: "success",
      at,
      set: factsOfSuccess(parts, request, inclusion, await listInputTransactions(db, request.id, "deposit")),
    });
    if (!isMoved) return;
    await settleSponsorship(db, request, actualFees(parts, request, { ...inclusion, amount: row.amount }));
    // A strict address returns the excess over its order.
    if (request.deposit_address_type === "strict") await parts.store.jobs.add({ requestId: request.id }, db);
  });
}

/**
 * Records the inclusion of a claim. The claim's own state does not change. Lists show the status of its transaction.
 */
async function recordClaim(
  { store }: Recorder,
  chain: DevChain,
  row: TransactionRow,
  receipt: TransactionReceipt,
  attempt: AttemptRow | undefined,
): Promise<void> {
  const inclusion = await readInclusion(chain, receipt);
  await store.db.transaction().execute(async (db) => {
    if (attempt !== undefined) await adoptAttempt(db, row, attempt);
    await recordInclusion(db, row.id, inclusion);
    await rememberBlock(db, chain.id, { number: inclusion.block_number, hash: receipt.blockHash });
  });
}

/** Settles a cancellation. The fill's nonce is used up, so the fill can never be included. */
export async function settleCancellation(
  parts: Recorder,
  row: TransactionRow,
  cancellation: AttemptRow,
): Promise<void> {
  const request = await findRequest(parts.store.db, row.request_id);
  if (request === undefined) return;
  const wasRejected = request.fail_details?.startsWith(REFUSED) === true;
  const fail_reason = wasRejected ? "TRANSACTION_SUBMISSION_FAILED" : "TRANSACTION_NOT_INCLUDED";
  await parts.store.db.transaction().execute(async (db) => {
    if (!(await endCancelled(db, row, cancellation))) return;
    await lockRequest(db, request.id);
    await failFill(parts, db, request, { fail_reason });
  });
}

/**
 * Records a failed fill, which is refunded. A request that was filled before its deposit waits for the deposit, to
 * refund it.
 */
async function failFill(
  parts: Recorder,
  db: StoreTransaction,
  request: RequestRow,
  set: NonNullable<Transition["set"]>,
): Promise<void> {
  const deposit = await findTransaction(db, request.id, "deposit");
  const isMoved = await transition(db, {
    requestId: request.id,
    from: ["submitted"],
    to: deposit === undefined ? "waiting" : "pending",
    at: new Date(parts.clock.now()),
    set,
  });
  if (!isMoved) return;
  await failFastFill(db, request.id);
  await settleSponsorship(db, request, undefined);
  await parts.store.jobs.add({ requestId: request.id }, db);
}

/** Prefix of the failure details if the node rejected a fill. */
export const REFUSED = "the node rejected the fill: ";

export interface KnownBlock {
  readonly hash: Hex;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

export async function readInclusion(
  chain: DevChain,
  receipt: TransactionReceipt,
  known?: KnownBlock,
): Promise<Inclusion> {
  const { blockHash } = receipt;
  const block = known?.hash === blockHash ? known : await chain.client.getBlock({ blockHash });
  return {
    status: receipt.status === "success" ? "success" : "failure",
    block_number: Number(receipt.blockNumber),
    block_timestamp: Number(block.timestamp),
    fee: receipt.gasUsed * receipt.effectiveGasPrice,
    gas_used: Number(receipt.gasUsed),
  };
}

/** Reads the inclusion of a fill. The delivered amount of a swap is only known after its block. */
async function readFillInclusion(
  chain: DevChain,
  request: RequestRow,
  row: TransactionRow,
  receipt: TransactionReceipt,
): Promise<Inclusion> {
  const inclusion = await readInclusion(chain, receipt);
  if (row.purpose !== "fill" || inclusion.status === "failure" || !isSwapFill(chain, request)) return inclusion;
  const amount = await swappedAmount(chain, request, { ...row, hash: receipt.transactionHash });
  return amount === undefined ? inclusion : { ...inclusion, amount };
}

async function explainFailure(
  parts: Payer & FaultReader,
  chain: DevChain,
  request: RequestRow,
  row: TransactionRow,
  receipt: TransactionReceipt,
): Promise<Diagnosis> {
  const { to, data = "0x", value = 0n, gas = 0n, authorizationList } = parseTransaction(row.signed as Hex);
  if (receipt.gasUsed * 100n >= gas * OUT_OF_GAS_PERCENT) {
    return { failReason: "QUOTED_GAS_LIMIT_EXCEEDED", details: `the fill used all of its gas limit of ${gas}` };
  }
  const parameters = {
    transaction: {
      to: to ?? chain.contracts.router,
      data,
      value,
      ...(authorizationList === undefined ? {} : { authorizationList }),
    },
    orderCalls: countOrderCalls(request, await parts.faults.forRequest(request)),
  };
  // Tries the states before and after the block, because an earlier transaction in the block may have caused the
  // failure.
  for (const blockNumber of [receipt.blockNumber - 1n, receipt.blockNumber]) {
    const diagnosis = await diagnoseFill(parts, chain, { ...parameters, blockNumber });
    if (diagnosis !== undefined) return diagnosis;
  }
  return { failReason: "TRANSACTION_REVERTED", details: "the same transaction succeeds when retried" };
}

/**
 * Returns the facts of a successful fill. The fill remains valid even if its deposit was lost meanwhile, and the record
 * marks it as unpaid.
 */
function factsOfSuccess(parts: Reporter, request: RequestRow, fill: Inclusion, deposits: readonly TransactionRow[]) {
  const lost = deposits.find(({ status }) => status === "pending");
  if (lost !== undefined) {
    parts.log.error({ requestId: request.id, depositTxHash: lost.hash }, "a fill lost its deposit in a reorg");
  }
  const times = deposits.flatMap(({ block_timestamp }) => block_timestamp ?? []);
  return {
    // At least 0, because a fill cannot precede its deposits, although the clocks of chains differ.
    fill_time_seconds: times.length === 0 ? null : Math.max(fill.block_timestamp - Math.max(...times), 0),
    ...(lost === undefined ? {} : { fail_reason: "DEPOSIT_REORGED" as const }),
  };
}
