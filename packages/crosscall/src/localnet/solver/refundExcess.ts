import type { Address, Hex } from "viem";

import type { DevChain } from "../devchain/devChain.ts";
import type { RequestRow } from "../store/tables/requestTables.ts";
import type { TransactionRow } from "../store/tables/transactionTables.ts";
import { findTransaction } from "../store/transactions.ts";
import { canPay, estimateTransaction } from "./estimateFill.ts";
import { transferTransaction } from "./fillTransaction.ts";
import { findRefundRecipient, weighRefund } from "./refund.ts";
import { signAndSend } from "./signedTransaction.ts";
import type { SolverParts } from "./solverParts.ts";

/** What a payment to a strict deposit address has above the order, in the smallest unit. */
export function excessOf(
  { deposit_address_type, input_amount }: Pick<RequestRow, "deposit_address_type" | "input_amount">,
  { amount }: Pick<TransactionRow, "amount">,
): bigint {
  const excess = BigInt(amount) - BigInt(input_amount);
  return deposit_address_type === "strict" && excess > 0n ? excess : 0n;
}

/**
 * Returns the excess of a filled request, once; not if it is worth less than its gas. `followTransactions` settles the
 * transaction.
 */
export async function refundExcess(
  parts: Pick<SolverParts, "clock" | "currencies" | "log" | "solver" | "store">,
  chain: DevChain,
  request: RequestRow,
  deposit: TransactionRow,
): Promise<void> {
  const { db } = parts.store;
  const amount = excessOf(request, deposit);
  if (amount === 0n) return;
  const recipient = await findRefundRecipient(db, request);
  if (recipient === undefined) return;
  if ((await findTransaction(db, request.id, "excess")) !== undefined) return;
  const currency = deposit.currency as Address;
  const transaction = transferTransaction({
    orderId: request.order_id as Hex,
    recipient,
    currency,
    amount,
  });
  const estimate = (await canPay(parts, chain, currency, amount))
    ? await estimateTransaction(parts, chain, transaction)
    : undefined;
  const isWorthIt =
    estimate?.works === true && (await weighRefund(parts, chain, { currency, amount }, estimate.gas)) === undefined;
  if (!isWorthIt) {
    parts.log.warn({ requestId: request.id, amount: amount.toString() }, "the excess of a payment is kept");
    return;
  }
  await signAndSend(parts, {
    requestId: request.id,
    purpose: "excess",
    chain,
    transaction,
    gas: estimate.gas,
    amount,
    currency,
  });
}
