import { compact } from "@crosscall/protocol/core";
import type { QuoteRequest, SponsorshipRequest } from "@crosscall/protocol/quote/rules";

/** The live service's default, 2 %. */
const DEFAULT_SLIPPAGE_BPS = 200n;

export function slippageBpsOf({ slippageTolerance }: QuoteRequest): bigint {
  return slippageTolerance === undefined ? DEFAULT_SLIPPAGE_BPS : BigInt(slippageTolerance);
}

export function appFeeBpsOf({ appFees = [] }: QuoteRequest): bigint {
  return appFees.reduce((sum, { fee }) => sum + BigInt(fee), 0n);
}

/** A sponsor cannot pay what a swap in the user's own calls costs. */
const WITHOUT_SWAP = ["execution", "relay", "app"] as const;

/** At a fixed rate, the sponsor pays all fees. */
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
