import type { Address, Hex } from "viem";

import type { RequestStatus } from "../../protocol/requestStatus.ts";
import { transition, type Transition } from "../../store/requests.ts";
import type { RequestRow, TransactionRow } from "../../store/schema.ts";
import type { Database } from "../../store/store.ts";
import { findTransaction, recordInclusion } from "../../store/transactions.ts";
import type { ServiceChain, ServiceContext } from "../context.ts";
import { estimateTransaction } from "./estimateFill.ts";
import type { FillFault } from "./faults.ts";
import { transferTransaction } from "./fillTransaction.ts";
import { includeTransaction, signAndRecord } from "./signedTransaction.ts";

/** Sends a deposit that cannot be filled back to the refund address, on the chain it came from. */
export async function refund(
  context: ServiceContext,
  chain: ServiceChain,
  request: RequestRow,
  deposit: TransactionRow,
  fault: FillFault,
  signal: AbortSignal,
): Promise<void> {
  const { db } = context.store;
  if ((await findTransaction(db, request.id, "refund")) === undefined) {
    if (fault.refundFailReason !== undefined) {
      await moveTo("failure", context, request, db, { refund_fail_reason: fault.refundFailReason });
      return;
    }
    if (request.deposit_address !== null && request.refund_to === null) {
      context.log.warn({ requestId: request.id }, "a deposit address without refundTo: the deposit stays");
      await moveTo("failure", context, request, db);
      return;
    }
    const transaction = transferTransaction({
      orderId: request.order_id as Hex,
      recipient: (request.refund_to ?? request.user) as Address,
      currency: deposit.currency as Address,
      amount: BigInt(deposit.amount),
    });
    const estimate = await estimateTransaction(context, chain, transaction);
    if (!estimate.works) {
      context.log.error({ requestId: request.id, reason: estimate.error?.shortMessage }, "the refund would revert");
      await moveTo("failure", context, request, db);
      return;
    }
    await signAndRecord(context, {
      requestId: request.id,
      purpose: "refund",
      chain,
      transaction,
      gas: estimate.gas,
      amount: BigInt(deposit.amount),
      currency: deposit.currency,
      move: (database) => moveTo("pending", context, request, database),
    });
  }
  const row = await findTransaction(db, request.id, "refund");
  if (row === undefined) return;
  const inclusion = await includeTransaction(chain, row, signal);
  await recordInclusion(db, row.id, inclusion);
  await moveTo(inclusion.status === "success" ? "refund" : "failure", context, request, db);
}

/** Moves a request that cannot be filled; a fill that another worker signed meanwhile stands. */
function moveTo(
  to: RequestStatus,
  context: ServiceContext,
  request: RequestRow,
  db: Database,
  set: Transition["set"] = {},
): Promise<boolean> {
  return transition(db, {
    requestId: request.id,
    from: ["pending"],
    hasFailReason: true,
    to,
    at: new Date(context.clock.now()),
    set,
  });
}
