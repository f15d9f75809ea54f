import { isSameAddress } from "../../chains/address.ts";
import type { FailReason } from "../../protocol/failReasons.ts";
import type { RequestRow, TransactionRow } from "../../store/schema.ts";

/** Why a deposit cannot be filled, or undefined where it can (spec 1, section 2.6). */
export function assessDeposit(
  request: Pick<RequestRow, "origin_chain_id" | "origin_currency" | "input_amount" | "order_data">,
  deposit: Pick<TransactionRow, "chain_id" | "currency" | "amount">,
  nowSeconds: number,
): FailReason | undefined {
  if (deposit.chain_id !== request.origin_chain_id) return "DEPOSIT_CHAIN_MISMATCH";
  if (!isSameAddress(deposit.currency, request.origin_currency)) return "INCORRECT_DEPOSIT_CURRENCY";
  if (BigInt(deposit.amount) < BigInt(request.input_amount)) return "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL";
  if (nowSeconds > request.order_data.output.deadline) return "ORDER_EXPIRED";
  return undefined;
}
