import type { DevChain } from "../devchain/devChain.ts";
import { findReceipt, isConfirmed } from "../devchain/readChain.ts";
import { type AttemptRow, listAttempts } from "../store/attempts.ts";
import { findRequest, type RequestRow } from "../store/requests/requests.ts";
import { transition } from "../store/requests/transitions.ts";
import type { TransactionRow } from "../store/transactions.ts";
import { attemptEach } from "./attemptEach.ts";
import { bumpFees, feesOf, moveNonce, signCancellation } from "./replaceStuck.ts";
import { REFUSED, settleCancellation, settleTransaction } from "./settleTransaction.ts";
import { sendBytes, type SendOutcome } from "./signedTransaction.ts";
import type { Payer, Recorder, SolverParts } from "./solverParts.ts";

/** Initial time between sends of the same bytes. It doubles each time. */
const RESEND_MS = 25;
const RESEND_MAX_MS = 1_000;

/** Last sends, kept only in memory, because losing them only causes one redundant send per transaction. */
export type SendingMemory = Map<number, { sentAt: number; waitMs: number; outcome: SendOutcome }>;

/**
 * Records the inclusion of a sender's pending transactions. Sends the others again, with higher fees or a different
 * nonce if needed.
 *
 * @param parts parts of the network; their solver is the sender
 * @returns whether any transaction is pending
 */
export async function followTransactions(
  parts: SolverParts,
  chain: DevChain,
  rows: readonly TransactionRow[],
  memory: SendingMemory,
  signal: AbortSignal,
): Promise<boolean> {
  if (rows.length === 0) {
    memory.clear();
    return false;
  }
  const ids = rows.map(({ id }) => id);
  const attempts = await listAttempts(parts.store.db, ids);
  const settled = new Set<number>();
  // Sequential, so that nonces reach the node in order.
  await attemptEach(parts, rows, {
    what: "follow a transaction",
    facts: ({ request_id, purpose, hash }) => ({ requestId: request_id, chainId: chain.id, purpose, hash }),
    async attempt(row) {
      const own = attempts.filter(({ transaction_id }) => transaction_id === row.id);
      const place = await settleIfIncluded(parts, chain, row, own);
      if (place === "none") await sendAgain(parts, chain, row, own, memory);
      if (place !== "settled") return;
      memory.delete(row.id);
      settled.add(row.id);
    },
    signal,
  });
  return settled.size < rows.length;
}

/**
 * State of a transaction. `settled`: in a recorded block; `unconfirmed`: in a block that needs confirmations; `none`:
 * in no block.
 */
export type TransactionPlace = "settled" | "unconfirmed" | "none";

/**
 * Settles a transaction under any of its hashes when it has the required confirmations.
 *
 * @param request the transaction's request, if already read
 */
export async function settleIfIncluded(
  parts: SolverParts,
  chain: DevChain,
  row: TransactionRow,
  attempts: readonly AttemptRow[],
  request?: RequestRow,
): Promise<TransactionPlace> {
  for (const attempt of [undefined, ...attempts]) {
    const receipt = await findReceipt(chain, (attempt ?? row).hash);
    if (receipt === undefined) continue;
    // A failed fill returns the deposit, but after a reorg the fill could still succeed in another block.
    const isFailure = row.purpose === "fill" && (attempt?.is_cancellation === true || receipt.status === "reverted");
    if (isFailure && !(await isConfirmed(chain, receipt.blockNumber))) return "unconfirmed";
    await settleTransaction(parts, chain, row, receipt, attempt, request);
    return "settled";
  }
  return "none";
}

async function sendAgain(
  parts: SolverParts,
  chain: DevChain,
  row: TransactionRow,
  attempts: readonly AttemptRow[],
  memory: SendingMemory,
): Promise<void> {
  const last = memory.get(row.id);
  if (last === undefined) {
    // Skipped, because the worker may have just sent it.
    memory.set(row.id, { sentAt: performance.now(), waitMs: RESEND_MS, outcome: { kind: "sent" } });
    return;
  }
  if (performance.now() - last.sentAt < last.waitMs) return;
  const bytes = await chooseBytes(parts, chain, row, attempts, last.outcome);
  if (bytes === undefined) return;
  const outcome = await sendBytes(chain, bytes);
  if (outcome.kind === "refused") {
    parts.log.debug({ requestId: row.request_id, hash: row.hash, reason: outcome.reason }, "bytes were rejected");
  }
  const waitMs = Math.min(last.waitMs * 2, RESEND_MAX_MS);
  memory.set(row.id, { sentAt: performance.now(), waitMs, outcome });
}

/** Returns the bytes to send, or undefined if no send is needed. */
async function chooseBytes(
  parts: SolverParts,
  chain: DevChain,
  row: TransactionRow,
  attempts: readonly AttemptRow[],
  last: SendOutcome,
): Promise<string | undefined> {
  const signed = row.signed ?? "0x";
  const cancelling = attempts.findLast(({ is_cancellation }) => is_cancellation);
  const cancellation = cancelling?.signed;
  if (last.kind === "nonceUsed" && (await isNonceLost(parts, chain, row))) {
    // Reads the receipts again, because the nonce was read after them and the transaction may have been included in
    // between.
    if ((await settleIfIncluded(parts, chain, row, attempts)) !== "none") return undefined;
    parts.log.warn({ requestId: row.request_id, hash: row.hash }, "another sender used a nonce of the solver");
    if (cancelling === undefined) return moveNonce(parts, chain, row);
    // Another transaction already used the nonce, so the cancellation is complete.
    await settleCancellation(parts, row, cancelling);
    return undefined;
  }
  const request = await findRequest(parts.store.db, row.request_id);
  const isLate = parts.clock.now() - row.created_at.getTime() > parts.inclusionTimeoutMs;
  const present = cancellation ?? signed;
  // After a reorg, a failed fill may be pending while its deposit is being returned. Then only its nonce is used up.
  const isOver = row.purpose === "fill" && request?.status !== "submitted";
  if (isOver && cancellation === undefined) return signCancellation(parts, chain, row, signed);
  if (row.purpose === "fill" && isLate && cancellation === undefined) {
    parts.log.warn(
      { requestId: row.request_id, hash: row.hash },
      "a fill was abandoned: it was not included before the timeout",
    );
    await noteGivingUp(parts, row, last);
    return signCancellation(parts, chain, row, signed);
  }
  const { baseFeePerGas } = await chain.client.getBlock();
  if (baseFeePerGas === null || baseFeePerGas <= feesOf(present).maxFeePerGas) return present;
  return cancellation === undefined ? bumpFees(parts, chain, row) : signCancellation(parts, chain, row, cancellation);
}

async function noteGivingUp(parts: Recorder, row: TransactionRow, last: SendOutcome): Promise<void> {
  const isRefused = last.kind === "refused";
  await transition(parts.store.db, {
    requestId: row.request_id,
    from: ["submitted"],
    to: "submitted",
    at: new Date(parts.clock.now()),
    reason: isRefused ? "TRANSACTION_SUBMISSION_FAILED" : "TRANSACTION_NOT_INCLUDED",
    set: { fail_details: isRefused ? `${REFUSED}${last.reason}` : null },
  });
}

/** Returns whether another transaction with the nonce is confirmed, so that none of these bytes can be included. */
async function isNonceLost(parts: Payer, chain: DevChain, row: TransactionRow): Promise<boolean> {
  const head = await chain.client.getBlockNumber();
  const depth = BigInt(chain.depositConfirmations);
  const blockNumber = head > depth ? head - depth : 0n;
  const count = await chain.client.getTransactionCount({ address: parts.solver.address, blockNumber });
  return count > (row.nonce ?? 0);
}
