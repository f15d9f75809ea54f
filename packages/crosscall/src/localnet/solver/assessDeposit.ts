import { isSameAddress } from "@crosscall/protocol/chains";
import { mulDivUp } from "@crosscall/protocol/encoding";
import { parseUsd } from "@crosscall/protocol/fees";
import type { FailReason } from "@crosscall/protocol/request";
import { USD_MICRO } from "../market/currencies.ts";
import { isReturn } from "../market/requestKind.ts";
import type { Database } from "../store/store.ts";
import type { RequestRow } from "../store/tables/requestTables.ts";
import type { TransactionRow } from "../store/tables/transactionTables.ts";
import { findTransaction } from "../store/transactions.ts";

/** Seconds after the deposit during which the quoted price is honored. */
const FILL_TTL_SECONDS = 600;

export type AssessedRequest = Pick<
  RequestRow,
  | "origin_chain_id"
  | "origin_currency"
  | "input_amount"
  | "expected_output_amount"
  | "request_type"
  | "order_data"
  | "fees"
  | "amount_usd"
>;

export type AssessedDeposit = Pick<TransactionRow, "chain_id" | "currency" | "amount" | "created_at">;

/** Undefined if it can be filled (spec 1, section 2.6). */
export function assessDeposit(
  request: AssessedRequest,
  deposit: AssessedDeposit,
  nowSeconds: number,
): FailReason | undefined {
  if (isReturn(request)) return "ORPHANED_DEPOSIT_REFUND";
  if (deposit.chain_id !== request.origin_chain_id) return "DEPOSIT_CHAIN_MISMATCH";
  if (!isSameAddress(deposit.currency, request.origin_currency)) return "INCORRECT_DEPOSIT_CURRENCY";
  if (BigInt(deposit.amount) < BigInt(request.input_amount)) {
    return coversFees(request, deposit) ? "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL" : "NEGATIVE_NEW_AMOUNT_AFTER_FEES";
  }
  // The service's clock may be set apart from the chain's.
  const seenSeconds = Math.floor(deposit.created_at.getTime() / 1_000);
  const { deadline } = request.order_data.output;
  if (seenSeconds > deadline) return "PROTOCOL_DEADLINE_EXPIRED";
  if (nowSeconds > deadline) return "ORDER_EXPIRED";
  return nowSeconds > honoredUntil(deposit) ? "TTL_EXPIRED" : undefined;
}

/** Unix seconds. */
export function honoredUntil(deposit: Pick<AssessedDeposit, "created_at">): number {
  return Math.floor(deposit.created_at.getTime() / 1_000) + FILL_TTL_SECONDS;
}

/** Whether a deposit that is too small leaves anything after the execution fee, as the quote states it. */
function coversFees(request: AssessedRequest, deposit: AssessedDeposit): boolean {
  const inputUsd = parseUsd(request.amount_usd, "a stored request", "amount_usd");
  const depositedUsd = (inputUsd * BigInt(deposit.amount)) / BigInt(request.input_amount);
  const { execution, passThrough = "0" } = request.fees;
  return depositedUsd > mulDivUp(BigInt(execution) + BigInt(passThrough), 1n, USD_MICRO) * USD_MICRO;
}

/** A strict deposit address requires the payment to come through it. Undefined if nothing is wrong. */
export async function assessPayment(
  db: Database,
  request: Pick<RequestRow, "id" | "deposit_address_type">,
): Promise<FailReason | undefined> {
  if (request.deposit_address_type !== "strict") return undefined;
  return (await findTransaction(db, request.id, "payment")) === undefined ? "DEPOSIT_ADDRESS_MISMATCH" : undefined;
}
