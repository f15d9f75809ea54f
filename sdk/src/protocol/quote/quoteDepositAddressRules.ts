import type { QuoteProblem } from "./quoteProblem.ts";
import type { QuoteRequest } from "./quoteRequest.ts";

/**
 * The live service's rules, which the specification does not show: no calls, and a strict address only with a refund
 * address. The service decides on trade types.
 */
export function depositAddressProblems(request: QuoteRequest): QuoteProblem[] {
  const { useDepositAddress, strict, txs = [], refundTo } = request;
  if (useDepositAddress !== true) {
    if (strict !== true) return [];
    return [
      {
        errorCode: "INVALID_REQUEST",
        field: "strict",
        value: strict,
        reason: "only a deposit address can be strict",
        hint: "Set useDepositAddress, or leave strict out.",
      },
    ];
  }
  const problems: QuoteProblem[] = [];
  if (txs.length > 0) {
    problems.push({
      errorCode: "EXTRA_TXS_NOT_SUPPORTED",
      field: "txs",
      value: txs,
      reason: "a deposit to an address brings no calls",
      hint: "Leave txs out, or quote without useDepositAddress.",
    });
  }
  if (strict === true && refundTo === undefined) {
    problems.push({
      errorCode: "INVALID_REQUEST",
      field: "refundTo",
      value: refundTo,
      reason: "a strict deposit address refunds what does not match its order",
      hint: "Set refundTo to an address on the origin chain.",
    });
  }
  return problems;
}
