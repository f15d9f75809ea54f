import { isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import type { QuoteProblem } from "@crosscall/protocol/quote";
import { isSponsored } from "../buildDetails.ts";
import type { EvmQuote } from "../resolveQuote.ts";
import { isPermitExecution } from "./gasless.ts";

export function findSameChainProblem(quote: EvmQuote): QuoteProblem | undefined {
  const { request, input, output, txs, callValue } = quote;
  if (isSponsored(quote) && !isPermitExecution(quote)) {
    const field = request.subsidizeFees === true ? "subsidizeFees" : "sponsoredFeeComponents";
    return {
      errorCode: "UNSUPPORTED_EXECUTION_TYPE",
      field,
      value: request[field],
      reason: "same-chain requests are executed by the user, so there is no fill to sponsor",
      hint: `Leave ${field} out, set usePermit, or choose another destination chain.`,
    };
  }
  if (txs.length > 0) {
    if (!isEvmNative(input.currency.address)) {
      return {
        errorCode: "UNSUPPORTED_EXECUTION_TYPE",
        field: "originCurrency",
        value: request.originCurrency,
        reason:
          "same-chain calls must be paid in the native currency, because the public router must not get token allowances",
        hint: "Pay in the native currency, or choose another destination chain.",
      };
    }
    if (callValue > 0n && !isEvmNative(output.currency.address)) {
      return {
        errorCode: "INVALID_EXTRA_TXS",
        field: "txs",
        value: callValue.toString(),
        reason: "on one chain, native values cannot be paid in addition to a token",
        hint: 'Set the values to "0", or ask for the native currency.',
      };
    }
    return undefined;
  }
  if (!isSameAddress(input.currency.address, output.currency.address)) return undefined;
  if (isSameAddress(quote.user, quote.recipient)) {
    return {
      errorCode: "UNSUPPORTED_ROUTE",
      field: "recipient",
      value: request.recipient,
      reason: "the request would send funds to their owner without effect",
      hint: "Choose another recipient, currency or chain.",
    };
  }
  return undefined;
}
