import { type Clock, unixSeconds } from "@crosscall/protocol/core";
import type { StoredTerms } from "../../store/requests/requests.ts";
import type { Price } from "./priceQuote.ts";
import type { ResolvedQuote } from "./resolveQuote.ts";

/** The ttl counts from now. */
export function termsOf(clock: Clock, { request }: Pick<ResolvedQuote, "request">, price: Price): StoredTerms {
  const { ttl, txsGasLimit, latePaymentSlippageTolerance, authorizationList = [] } = request;
  return {
    ...(ttl === undefined ? {} : { expiresAt: unixSeconds(clock) + ttl }),
    ...(txsGasLimit === undefined ? {} : { txsGasLimit }),
    ...(latePaymentSlippageTolerance === undefined ? {} : { lateToleranceBps: latePaymentSlippageTolerance }),
    ...(request.useExternalLiquidity === true ? { usesExternalLiquidity: true } : {}),
    ...(price.fixedRateUsdE18 === undefined ? {} : { isFixedRate: true }),
    ...(price.gasTopup === undefined ? {} : { gasTopup: price.gasTopup.toString() }),
    ...(authorizationList.length === 0 ? {} : { authorizationList }),
  };
}
