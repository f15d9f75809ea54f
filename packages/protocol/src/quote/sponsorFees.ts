import { parseAmount } from "../encoding/amounts.ts";
import { InvalidInputError } from "../core/errors.ts";
import { type ByFeeComponent, type FeesUsd, mapFees, toFeeComponent } from "../fees/feeComponents.ts";
import { sponsorshipProblems, type SponsorshipRequest } from "./quoteSponsorshipRules.ts";
import type { FeeComponent } from "../common/requestType.ts";
import { USD_ONE_E18 } from "../fees/usd.ts";
import { FEE_COMPONENTS } from "../schema/values.ts";

/** One micro-unit of sponsorship caps, in US dollars, scaled by 10^18. */
export const MICRO_USD_E18 = USD_ONE_E18 / 1_000_000n;

/** Fees in US dollars, scaled by 10^18. */
export interface SponsoredFee {
  readonly isSelected: boolean;
  readonly totalUsdE18: bigint;
  readonly sponsoredUsdE18: bigint;
  readonly userPaysUsdE18: bigint;
}

/** Shares in US dollars, scaled by 10^18. */
export interface SponsoredFees {
  readonly components: ByFeeComponent<SponsoredFee>;
  readonly sponsoredTotalUsdE18: bigint;
  readonly userPaysTotalUsdE18: bigint;
  /** Whether the user pays part of the selected fees because of the cap. */
  readonly isCapHit: boolean;
}

/**
 * Splits fees between sponsor and user (spec 2, section 9.3). `sponsoredFeeComponents` selects components;
 * `subsidizeFees` alone selects all. The cap covers execution, swap, platform and app fees in this order, and the user
 * pays the rest. With a deposit address, nothing is sponsored unless the cap covers all fees. Negative components are
 * not charged.
 * @param fees fees in US dollars, scaled by 10^18
 * @throws {@link InvalidInputError} when the service rejects the request's sponsorship
 */
export function sponsorFees(fees: FeesUsd, request: SponsorshipRequest): SponsoredFees {
  const [problem] = sponsorshipProblems(request);
  if (problem !== undefined) throw new InvalidInputError(problem);
  const selected = selectedComponents(request);
  const wanted = mapFees(fees, (fee, component) => (selected.includes(component) && fee > 0n ? fee : 0n));
  const total = FEE_COMPONENTS.reduce((sum, component) => sum + wanted[component], 0n);
  const cap = capOf(request.maxSubsidizationAmount) ?? total;
  const isCapHit = total > cap;
  let left = isCapHit && request.useDepositAddress === true ? 0n : cap;
  const spent = new Map<FeeComponent, bigint>();
  for (const component of FEE_COMPONENTS) {
    const part = wanted[component] < left ? wanted[component] : left;
    left -= part;
    spent.set(component, part);
  }
  const components = mapFees(fees, (totalUsdE18, component) => {
    const sponsoredUsdE18 = spent.get(component) ?? 0n;
    return {
      isSelected: selected.includes(component),
      totalUsdE18,
      sponsoredUsdE18,
      userPaysUsdE18: totalUsdE18 - sponsoredUsdE18,
    };
  });
  const sumOf = (pick: (fee: SponsoredFee) => bigint): bigint =>
    FEE_COMPONENTS.reduce((sum, component) => sum + pick(components[component]), 0n);
  return {
    components,
    sponsoredTotalUsdE18: sumOf(({ sponsoredUsdE18 }) => sponsoredUsdE18),
    userPaysTotalUsdE18: sumOf(({ userPaysUsdE18 }) => userPaysUsdE18),
    isCapHit,
  };
}

function selectedComponents({ subsidizeFees, sponsoredFeeComponents }: SponsorshipRequest): readonly FeeComponent[] {
  if (sponsoredFeeComponents !== undefined) {
    return sponsoredFeeComponents.map(toFeeComponent).filter((component) => component !== undefined);
  }
  return subsidizeFees === true ? FEE_COMPONENTS : [];
}

function capOf(maxSubsidizationAmount: string | undefined): bigint | undefined {
  if (maxSubsidizationAmount === undefined) return undefined;
  return parseAmount(maxSubsidizationAmount, "maxSubsidizationAmount") * MICRO_USD_E18;
}
