import { AmbiguousPaymentError } from "../attestationRefusedError.ts";

/**
 * What a depository receives is credited as a deposit, so it cannot also settle an order.
 *
 * @throws {@link AmbiguousPaymentError} if the recipient is a depository
 */
export function requireNoDeposit(transactionId: string, recipient: string, isDepository: boolean): void {
  if (!isDepository) return;
  throw new AmbiguousPaymentError(`transaction ${transactionId} to ${recipient}`, [
    "a deposit into that depository",
    "a payment of an order",
  ]);
}
