import type { Hex } from "viem";

import { AmbiguousPaymentError, requireAttested } from "../attestationRefusedError.ts";

/**
 * One payment settles one order, so the transaction must name it, and no other.
 *
 * @param named all ids of orders that the transaction names
 * @throws {@link AmbiguousPaymentError} if it names another order too
 * @throws {@link AttestationRefusedError} if it does not name this order
 */
export function requireOnlyOrder(transactionId: string, orderId: Hex, named: readonly Hex[]): void {
  requireAttested(named.includes(orderId), `Transaction ${transactionId} does not reference order id`);
  const other = named.find((id) => id !== orderId);
  if (other === undefined) return;
  throw new AmbiguousPaymentError(`transaction ${transactionId}`, [`of order ${orderId}`, `of order ${other}`]);
}
