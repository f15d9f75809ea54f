import type { FailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";
import type { Database } from "../../store/store.ts";
import type { RequestRow } from "../../store/tables/requestTables.ts";
import type { TransactionRow } from "../../store/tables/transactionTables.ts";
import { findTransaction } from "../../store/transactions.ts";

/**
 * Why a deposit cannot be filled because its request has a strict deposit address: it came another way, or it is more
 * than the order says. Undefined where this is no hindrance.
 */
export async function assessPayment(
  db: Database,
  request: Pick<RequestRow, "id" | "deposit_address_type" | "input_amount">,
  deposit: Pick<TransactionRow, "amount">,
): Promise<FailReason | undefined> {
  if (request.deposit_address_type !== "strict") return undefined;
  if ((await findTransaction(db, request.id, "payment")) === undefined) return "DEPOSIT_ADDRESS_MISMATCH";
  return BigInt(deposit.amount) > BigInt(request.input_amount) ? "INCORRECT_PAYMENT" : undefined;
}
