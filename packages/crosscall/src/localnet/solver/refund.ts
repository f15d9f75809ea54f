import type { Address, Hex } from "viem";

import { isEvmNative } from "@crosscall/protocol/chains";
import type { RefundFailReason, RequestStatus } from "@crosscall/protocol/request";
import type { DevChain } from "../devchain/devChain.ts";
import { usdValue } from "../market/currencies.ts";
import { isReturn } from "../market/requestKind.ts";
import type { FillFault } from "../scenarios/requestFaults.ts";
import { findRequest, type RequestRow } from "../store/requests/requests.ts";
import { transition, type Transition } from "../store/requests/transitions.ts";
import type { Database } from "../store/schema.ts";
import { findTransaction, lockPending, type TransactionRow } from "../store/transactions.ts";
import { diagnoseFill } from "./diagnoseFill.ts";
import { canPay, estimatePayment } from "./estimateFill.ts";
import { transferTransaction } from "./fillTransaction.ts";
import { hasSeveralInputs } from "./inputs.ts";
import { signAndRecord } from "./signedTransaction.ts";
import type { Pricer, Recorder, Refunder, Timed } from "./solverParts.ts";

/**
 * Signs the refund of a deposit on its origin chain, or ends the request if a refund is not possible.
 *
 * @returns the signed refund, or undefined
 */
export async function prepareRefund(
  parts: Refunder,
  chain: DevChain,
  request: RequestRow,
  deposit: TransactionRow,
  fault: FillFault,
): Promise<TransactionRow | undefined> {
  const { db } = parts.store;
  const signed = await findTransaction(db, request.id, "refund");
  if (signed !== undefined) return signed;
  if (deposit.status === "pending") return endWithoutDeposit(parts, request, deposit);
  const attempt = await attemptRefund(parts, chain, request, deposit, fault);
  if (attempt.kind === "signed") return attempt.row;
  await moveTo("failure", parts, request, db, attempt.set);
  return undefined;
}

export type RefundAttempt =
  /** The refund; undefined if another worker changed the request meanwhile. */
  | { readonly kind: "signed"; readonly row: TransactionRow | undefined }
  /** Reason why the deposit is kept. */
  | { readonly kind: "refused"; readonly set: NonNullable<Transition["set"]> };

/** Signs the refund of one deposit once, if it is possible. */
export async function attemptRefund(
  parts: Refunder,
  chain: DevChain,
  request: RequestRow,
  deposit: TransactionRow,
  fault: FillFault,
): Promise<RefundAttempt> {
  const { db } = parts.store;
  const { input_index } = deposit;
  const signed = await findTransaction(db, request.id, "refund", input_index);
  if (signed !== undefined) return { kind: "signed", row: signed };

  const fail = (set: NonNullable<Transition["set"]>): RefundAttempt => ({ kind: "refused", set });
  if (fault.refundFailReason !== undefined) return fail({ refund_fail_reason: fault.refundFailReason });
  const recipient = await findRefundRecipient(db, request, input_index);
  if (recipient === undefined) {
    parts.log.warn({ requestId: request.id }, "the refund of a deposit address has no recipient: the deposit is kept");
    return fail({ refund_fail_reason: "MANUAL_REFUND_REQUIRED" });
  }
  const amount = BigInt(deposit.amount);
  const isKnown = parts.currencies.find(chain.id, deposit.currency) !== undefined;
  if (!isKnown || !(await canPay(parts, chain, deposit.currency, amount))) {
    return fail({ refund_fail_reason: isKnown ? "MANUAL_REFUND_REQUIRED" : "SWAP_CURRENCY_NOT_ON_ORIGIN" });
  }
  const transfer = transferTransaction({
    orderId: await refundedOrderId(db, request),
    recipient,
    currency: deposit.currency as Address,
    amount,
  });
  const { transaction, estimate } = await estimatePayment(parts, chain, transfer);
  if (!estimate.works) {
    const diagnosis = await diagnoseFill(parts, chain, { transaction, orderCalls: 0 });
    parts.log.error({ requestId: request.id, ...diagnosis }, "the refund would revert");
    return fail({
      refund_fail_reason: "MANUAL_REFUND_REQUIRED",
      fail_details: `the refund to ${recipient} would revert: ${diagnosis?.details}`,
    });
  }
  const tooLow = await weighRefund(parts, chain, { currency: deposit.currency, amount }, estimate.gas);
  if (tooLow !== undefined) return fail({ refund_fail_reason: tooLow });

  await signAndRecord(parts, {
    requestId: request.id,
    purpose: "refund",
    chain,
    transaction,
    gas: estimate.gas,
    amount,
    currency: deposit.currency,
    inputIndex: input_index,
    // A concurrent reorg either waits for the lock on the request, or its change is already visible.
    move: async (database) =>
      (await moveTo("pending", parts, request, database)) &&
      (await findTransaction(database, request.id, "deposit", input_index))?.status === "success",
  });
  return { kind: "signed", row: await findTransaction(db, request.id, "refund", input_index) };
}

/** Returns the orderId of the refunded deposit, which oracles require in the refund. The parent of a return has it. */
async function refundedOrderId(db: Database, request: RequestRow): Promise<Hex> {
  const { order_id, parent_request_id } = request;
  const hasParent = isReturn(request) && parent_request_id !== null;
  const parent = hasParent ? await findRequest(db, parent_request_id) : undefined;
  return (parent?.order_id ?? order_id) as Hex;
}

/**
 * Finds the recipient of a refund. Each of several inputs has its own in the order. For a deposit address, the native currency's address stands for the payer, who can
 * be unknown.
 */
export async function findRefundRecipient(
  db: Database,
  request: RequestRow,
  inputIndex = 0,
): Promise<Address | undefined> {
  const { deposit_address, refund_to } = request;
  if (hasSeveralInputs(request)) {
    return request.order_data.inputs[inputIndex]?.refunds[0]?.recipient as Address | undefined;
  }
  if (deposit_address === null) return (refund_to ?? request.user) as Address;
  if (refund_to === null) return undefined;
  if (!isEvmNative(refund_to)) return refund_to as Address;
  const payer = (await findTransaction(db, request.id, "payment"))?.sender ?? "";
  return payer === "" ? undefined : (payer as Address);
}

/** Ends a request without a refund, if the deposit was lost before the fill failed. */
async function endWithoutDeposit(parts: Recorder, request: RequestRow, deposit: TransactionRow): Promise<undefined> {
  await parts.store.db.transaction().execute(async (db) => {
    if (!(await lockPending(db, deposit.id))) return;
    await moveTo("failure", parts, request, db, { fail_reason: "DEPOSIT_REORGED" });
  });
  return undefined;
}

/** Keeps deposits that are worth less than the gas of a refund, which the solver pays. */
export async function weighRefund(
  { currencies }: Pricer,
  chain: DevChain,
  refunded: { readonly currency: string; readonly amount: bigint },
  gas: bigint,
): Promise<RefundFailReason | undefined> {
  const gasPrice = await chain.client.getGasPrice();
  const costUsd = usdValue(gas * gasPrice, currencies.nativeOf(chain.id));
  const worthUsd = usdValue(refunded.amount, currencies.require(chain.id, refunded.currency));
  return worthUsd < costUsd ? "AMOUNT_TOO_LOW_TO_REFUND" : undefined;
}

/** Changes the status, unless another worker has signed a fill meanwhile. */
function moveTo(
  to: RequestStatus,
  parts: Timed,
  request: RequestRow,
  db: Database,
  set: Transition["set"] = {},
): Promise<boolean> {
  return transition(db, {
    requestId: request.id,
    from: ["pending"],
    hasFailReason: true,
    to,
    at: new Date(parts.clock.now()),
    set,
  });
}
