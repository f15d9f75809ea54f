import { executionFee } from "@crosscall/protocol/quote/rules";
import type { FailReason } from "@crosscall/protocol/request";
import { BPS_PER_WHOLE } from "@crosscall/protocol/encoding";
import type { RequestRow } from "../store/tables/requestTables.ts";
import { assessDeposit, type AssessedDeposit, honoredUntil } from "./assessDeposit.ts";

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
 * Whether a late fill costs at most what was quoted and the tolerated extra.
 *
 * @param costUsdE18 of the fill, without the output, in US dollars times 10^18
 */
export function isWithinTolerance({ fees, terms }: Pick<RequestRow, "fees" | "terms">, costUsdE18: bigint): boolean {
  const flat = executionFee({ destinationGasUsdE18: 0n, gaslessOriginGasUsdE18: BigInt(fees.originGas ?? 0) });
  const quoted = BigInt(fees.execution) - flat.totalUsdE18;
  return costUsdE18 * BPS_PER_WHOLE <= quoted * (BPS_PER_WHOLE + BigInt(terms.lateToleranceBps ?? 0));
}
