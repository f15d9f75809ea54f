import type { QuoteProblem } from "@crosscall/protocol/quote";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";

/**
 * Finds a field that a deposit address cannot support. An open address takes any amount, so it cannot promise an exact
 * output. A strict address serves one order.
 */
export function findDepositAddressProblem(request: QuoteRequest): QuoteProblem | undefined {
  const { useDepositAddress, strict, tradeType, maxSubsidizationAmount } = request;
  if (useDepositAddress !== true || tradeType === "EXACT_INPUT") return undefined;
  if (tradeType !== (strict === true ? "EXACT_OUTPUT" : "EXPECTED_OUTPUT")) {
    return {
      errorCode: "UNSUPPORTED_EXECUTION_TYPE",
      field: "tradeType",
      value: tradeType,
      reason: strict === true ? "a strict address has a fixed input or output" : "an open address takes any amount",
      hint: `Use EXACT_INPUT or ${strict === true ? "EXACT_OUTPUT" : "EXPECTED_OUTPUT"}, or quote without useDepositAddress.`,
    };
  }
  if (maxSubsidizationAmount === undefined) return undefined;
  return {
    errorCode: "UNSUPPORTED_EXECUTION_TYPE",
    field: "maxSubsidizationAmount",
    value: maxSubsidizationAmount,
    reason: "the input of this quote depends on whether the cap covers all fees of a deposit address",
    hint: "Use EXACT_INPUT, or omit maxSubsidizationAmount.",
  };
}
