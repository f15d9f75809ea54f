import { type ByFeeComponent, mapFees, sumFees } from "@crosscall/protocol/fees";
import type { SponsoredFees } from "@crosscall/protocol/quote/rules";
import { FEE_COMPONENTS } from "@crosscall/protocol/schema";
import { roundUsd, USD_MICRO } from "./currencies.ts";

/** Adds to a fee component a cost that the user pays instead of the sponsor. */
export function addUserCost(sponsored: SponsoredFees, component: "execution" | "swap", usdE18: bigint): SponsoredFees {
  const fee = sponsored.components[component];
  return {
    ...sponsored,
    components: {
      ...sponsored.components,
      [component]: {
        ...fee,
        totalUsdE18: fee.totalUsdE18 + usdE18,
        userPaysUsdE18: fee.userPaysUsdE18 + usdE18,
      },
    },
    userPaysTotalUsdE18: sponsored.userPaysTotalUsdE18 + usdE18,
  };
}

/**
 * Rounds fees to the decimals that the service writes. The written amounts add up: the components to the totals, and
 * the parts of sponsor and user to each component.
 *
 * @param userPaysUsdE18 the difference between input and output as written, if both are known; by default the sum
 */
export function roundFees(
  { components, sponsoredTotalUsdE18, userPaysTotalUsdE18, isCapHit }: SponsoredFees,
  userPaysUsdE18 = roundUsd(userPaysTotalUsdE18),
): SponsoredFees {
  const sponsoredTotal = roundUsd(sponsoredTotalUsdE18);
  const sponsored = roundTogether(
    mapFees(components, (fee) => fee.sponsoredUsdE18),
    sponsoredTotal,
  );
  const userPays = roundTogether(
    mapFees(components, (fee) => fee.userPaysUsdE18),
    userPaysUsdE18,
  );
  return {
    components: mapFees(components, ({ isSelected }, component) => ({
      isSelected,
      totalUsdE18: sponsored[component] + userPays[component],
      sponsoredUsdE18: sponsored[component],
      userPaysUsdE18: userPays[component],
    })),
    sponsoredTotalUsdE18: sponsoredTotal,
    userPaysTotalUsdE18: userPaysUsdE18,
    isCapHit,
  };
}

/** Rounds down, then adds each remaining micro-dollar to the part with the largest remainder. */
function roundTogether(exact: ByFeeComponent<bigint>, total: bigint): ByFeeComponent<bigint> {
  const missing = total - sumFees(exact);
  // A larger difference is a gain or loss of a swap or of the conversion to whole units.
  const isRounding = missing < USD_MICRO && -missing < USD_MICRO;
  const parts = isRounding ? exact : { ...exact, swap: exact.swap + missing };
  const floors = mapFees(parts, floorUsd);
  const left = Number((total - sumFees(floors)) / USD_MICRO);
  const byRemainder = FEE_COMPONENTS.toSorted((one, other) =>
    Number(parts[other] - floors[other] - (parts[one] - floors[one])),
  );
  const receivers = byRemainder.slice(0, left);
  return mapFees(floors, (floor, component) => (receivers.includes(component) ? floor + USD_MICRO : floor));
}

/** Rounds down, even below zero. */
function floorUsd(usdE18: bigint): bigint {
  const rounded = roundUsd(usdE18);
  return rounded > usdE18 ? rounded - USD_MICRO : rounded;
}
