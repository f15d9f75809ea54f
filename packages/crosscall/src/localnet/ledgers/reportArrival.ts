import { InvalidInputError } from "@crosscall/protocol/core";
import type { LedgerArrival } from "../market/ledger.ts";
import { RejectionError } from "../market/rejection.ts";
import type { StoreTransaction } from "../store/schema.ts";
import type { LedgerParts } from "./ledgerParts.ts";

/**
 * Reports a payment to its request. The payment is final, even if the request does not accept it.
 *
 * @returns whether the request accepts it
 */
export async function reportArrival(
  { onArrival, log }: Pick<LedgerParts, "log" | "onArrival">,
  arrival: LedgerArrival,
  db: StoreTransaction,
): Promise<boolean> {
  try {
    await onArrival(arrival, db);
    return true;
  } catch (error) {
    // Any other error ends the transaction, which also contains the payment.
    if (!(error instanceof RejectionError || error instanceof InvalidInputError)) throw error;
    const { requestId, txHash } = arrival;
    log.warn({ error, requestId, txHash }, "a deposit on a ledger was not accepted");
    return false;
  }
}
