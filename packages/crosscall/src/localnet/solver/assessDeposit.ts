import { isSameAddress } from "@crosscall/protocol/chains";
import { BPS_PER_WHOLE, mulDivUp } from "@crosscall/protocol/encoding";
import { parseUsd } from "@crosscall/protocol/fees";
import { executionFee } from "@crosscall/protocol/quote/rules";
import type { FailReason } from "@crosscall/protocol/request";
import { USD_MICRO } from "../market/currencies.ts";
import { isReturn } from "../market/requestKind.ts";
import { owedDeposit, type RequestRow } from "../store/requests/requests.ts";
import type { Database } from "../store/schema.ts";
import { findTransaction, type TransactionRow } from "../store/transactions.ts";

/** Seconds after the deposit for which the quoted price is valid. */
const FILL_TTL_SECONDS = 600;

export type AssessedRequest = Pick<
  RequestRow,
  | "origin_chain_id"
  | "origin_currency"
  | "input_amount"
  | "terms"
  | "expected_output_amount"
  | "request_type"
  | "order_data"
  | "fees"
  | "amount_usd"
>;

export type AssessedDeposit = Pick<TransactionRow, "chain_id" | "currency" | "amount" | "created_at">;

/** Returns the reason why a deposit cannot be filled, or undefined if it can be filled. */
export function assessDeposit(
  request: AssessedRequest,
  deposit: AssessedDeposit,
  nowSeconds: number,
): FailReason | undefined {
  if (isReturn(request)) return "ORPHANED_DEPOSIT_REFUND";
  if (deposit.chain_id !== request.origin_chain_id) return "DEPOSIT_CHAIN_MISMATCH";
  const owed = owedDeposit(request);
  if (!isSameAddress(deposit.currency, owed.currency)) return "INCORRECT_DEPOSIT_CURRENCY";
  if (BigInt(deposit.amount) < owed.amount) {
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

/** Returns whether a deposit that is too small covers the quoted execution fee. */
function coversFees(request: AssessedRequest, deposit: AssessedDeposit): boolean {
  const inputUsd = parseUsd(request.amount_usd, "a stored request", "amount_usd");
  const depositedUsd = (inputUsd * BigInt(deposit.amount)) / owedDeposit(request).amount;
  const { execution, passThrough = "0" } = request.fees;
  return depositedUsd > mulDivUp(BigInt(execution) + BigInt(passThrough), 1n, USD_MICRO) * USD_MICRO;
}

/**
 * Requires payments to a strict deposit address to come through the address. Returns undefined if the deposit is valid.
 */
export async function assessPayment(
  db: Database,
  request: Pick<RequestRow, "id" | "deposit_address_type">,
): Promise<FailReason | undefined> {
  if (request.deposit_address_type !== "strict") return undefined;
  return (await findTransaction(db, request.id, "payment")) === undefined ? "DEPOSIT_ADDRESS_MISMATCH" : undefined;
}

/** Returns the amount by which a payment to a strict deposit address exceeds the order, in the smallest unit. */
export function excessOf(
  { deposit_address_type, input_amount }: Pick<RequestRow, "deposit_address_type" | "input_amount">,
  { amount }: Pick<TransactionRow, "amount">,
): bigint {
  const excess = BigInt(amount) - BigInt(input_amount);
  return deposit_address_type === "strict" && excess > 0n ? excess : 0n;
}

export type Assessment =
  | { readonly works: true; readonly isLate: boolean }
  | { readonly works: false; readonly failReason: FailReason };

/** Applies the request's `ttl`, and its tolerance for deposits after the order's deadline. */
export function assessTerms(request: RequestRow, deposit: AssessedDeposit, nowSeconds: number): Assessment {
  const failReason = assessDeposit(request, deposit, nowSeconds);
  const isOutOfTime = failReason === undefined || TIME_REASONS.includes(failReason);
  const { expiresAt, lateToleranceBps } = request.terms;
  if (isOutOfTime && expiresAt !== undefined && nowSeconds > expiresAt)
    return { works: false, failReason: "TTL_EXPIRED" };
  if (failReason === undefined) return { works: true, isLate: false };
  const isLate = failReason === "PROTOCOL_DEADLINE_EXPIRED" && lateToleranceBps !== undefined;
  return isLate && nowSeconds <= honoredUntil(deposit) ? { works: true, isLate } : { works: false, failReason };
}

const TIME_REASONS: readonly FailReason[] = ["PROTOCOL_DEADLINE_EXPIRED", "ORDER_EXPIRED", "TTL_EXPIRED"];

/**
 * Returns whether a late fill costs at most the quoted amount plus the tolerance.
 *
 * @param costUsdE18 cost of the fill without the output, in US dollars, scaled by 10^18
 */
export function isWithinTolerance({ fees, terms }: Pick<RequestRow, "fees" | "terms">, costUsdE18: bigint): boolean {
  const flat = executionFee({ destinationGasUsdE18: 0n, gaslessOriginGasUsdE18: BigInt(fees.originGas ?? 0) });
  const quoted = BigInt(fees.execution) - flat.totalUsdE18;
  return costUsdE18 * BPS_PER_WHOLE <= quoted * (BPS_PER_WHOLE + BigInt(terms.lateToleranceBps ?? 0));
}
