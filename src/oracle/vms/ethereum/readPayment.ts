import type { Address } from "viem";

import { decodeFillContract } from "@crosscall/sdk/internal/protocol/order/orderCalls";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { PaymentsRequest } from "../vmChain.ts";
import type { EvmChain } from "./evmChain.ts";
import { nativePayment, tokenPayment } from "./findPayments.ts";

/** Total payment to a recipient by a final transaction (spec 5, section 4). */
export async function readPayment(
  { dialect, transactions, finality }: EvmChain,
  { transactionId, orderId, deadline, extraData, recipient, currency }: PaymentsRequest,
): Promise<bigint> {
  const hash = dialect.toHash(transactionId);
  const [included, transaction] = await Promise.all([
    transactions.readIncluded(transactionId, hash),
    transactions.readSent(transactionId, hash),
  ]);
  await transactions.requireDepth(included, finality);
  requireAttested(included.block.timestamp <= deadline, `Transaction ${transactionId} executed after deadline`);
  requireAttested(
    transaction.input.endsWith(orderId.slice(2)),
    `Transaction ${transactionId} does not reference order id`,
  );
  const { logs } = included.receipt;
  const to = dialect.toEvm(recipient, "recipient");
  const token = dialect.toEvm(currency, "currency");
  if (token !== dialect.toEvm(dialect.nativeCurrency, "currency")) return tokenPayment(logs, token, to);
  // Only payments through a contract need it.
  const fillContract = (): Address => decodeFillContract(extraData).toLowerCase() as Address;
  return nativePayment({ transaction, logs }, { orderId, recipient: to, fillContract });
}
