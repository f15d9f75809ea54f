import { type Clock, compact, unixSeconds } from "@crosscall/protocol/core";
import type { QuoteRequest, SponsorshipRequest } from "@crosscall/protocol/quote/rules";
import type { StoredTerms } from "../../store/requests/requests.ts";
import type { Price } from "./priceQuote.ts";
import type { ResolvedQuote } from "./resolveQuote.ts";

/** The live service's default, 2%. */
const DEFAULT_SLIPPAGE_BPS = 200n;

export function slippageBpsOf({ slippageTolerance }: QuoteRequest): bigint {
  return slippageTolerance === undefined ? DEFAULT_SLIPPAGE_BPS : BigInt(slippageTolerance);
}

export function appFeeBpsOf({ appFees = [] }: QuoteRequest): bigint {
  return appFees.reduce((sum, { fee }) => sum + BigInt(fee), 0n);
}

/** A sponsor cannot pay for a swap in the user's own calls. */
const WITHOUT_SWAP = ["execution", "relay", "app"] as const;

/** Returns the sponsorship of a request. At a fixed rate, the sponsor pays all fees. */
export function sponsorshipOf(request: QuoteRequest): SponsorshipRequest {
  const isOneChain = request.originChainId === request.destinationChainId;
  if (isOneChain && request.usePermit === true)
    return { subsidizeFees: true, sponsoredFeeComponents: [...WITHOUT_SWAP] };
  const { subsidizeFees, sponsoredFeeComponents, maxSubsidizationAmount, useDepositAddress } = request;
  return {
    ...(request.fixedRate === undefined
      ? compact({ subsidizeFees, sponsoredFeeComponents, maxSubsidizationAmount })
      : { subsidizeFees: true }),
    ...compact({ useDepositAddress }),
  };
}

export function originGasOverheadOf({ originGasOverhead = 0 }: QuoteRequest): bigint {
  return BigInt(Math.ceil(Number(originGasOverhead)));
}

/** Returns the terms of a request. Its `ttl` starts now. */
export function termsOf(clock: Clock, { request }: Pick<ResolvedQuote, "request">, price: Price): StoredTerms {
  const { ttl, txsGasLimit, latePaymentSlippageTolerance, authorizationList = [] } = request;
  return {
    ...(ttl === undefined ? {} : { expiresAt: unixSeconds(clock) + ttl }),
    ...(txsGasLimit === undefined ? {} : { txsGasLimit }),
    ...(latePaymentSlippageTolerance === undefined ? {} : { lateToleranceBps: latePaymentSlippageTolerance }),
    ...(request.useExternalLiquidity === true ? { usesExternalLiquidity: true } : {}),
    ...(price.fixedRateUsdE18 === undefined ? {} : { isFixedRate: true }),
    ...(price.gasTopup === undefined ? {} : { gasTopup: price.gasTopup.toString() }),
    ...(price.originSwap === undefined
      ? {}
      : {
          deposit: {
            currency: price.originSwap.holding.currency.address,
            amount: price.originSwap.depositAmount.toString(),
          },
        }),
    ...(authorizationList.length === 0 ? {} : { authorizationList }),
  };
}
