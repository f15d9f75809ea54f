import { expect } from "chai";
import fc from "fast-check";

import { mapFees, sumFees } from "../../../../../packages/protocol/src/fees/feeComponents.ts";
import { sponsorFees } from "../../../../../packages/protocol/src/quote/sponsorFees.ts";
import { addUserCost, roundFees } from "../../../../../packages/crosscall/src/localnet/market/roundFees.ts";

const MICRO = 10n ** 12n;
const USD = 10n ** 18n;

describe("roundFees", () => {
  const fee = fc.bigInt({ min: 0n, max: 10n * USD });
  const fees = fc.record({ swap: fee, execution: fee, platform: fee, app: fee });
  const sponsorship = fc.record({
    subsidizeFees: fc.boolean(),
    maxSubsidizationAmount: fc.bigInt({ min: 0n, max: 20_000_000n }).map(String),
  });

  it("returns components that add up to both totals, each within a micro-dollar of the exact value", () => {
    fc.assert(
      fc.property(fees, sponsorship, fc.bigInt({ min: 0n, max: 2n * MICRO }), (exact, request, dust) => {
        const given = addUserCost(
          sponsorFees(exact, request.subsidizeFees ? request : {}),
          "execution",
          request.subsidizeFees ? USD : 0n,
        );
        const userPays = ((given.userPaysTotalUsdE18 + dust) / MICRO) * MICRO;
        const { components, sponsoredTotalUsdE18, userPaysTotalUsdE18 } = roundFees(given, userPays);
        const total = sumFees(mapFees(components, ({ totalUsdE18 }) => totalUsdE18));
        expect(userPaysTotalUsdE18).to.equal(userPays);
        expect(total - sponsoredTotalUsdE18).to.equal(userPays);
        expect(sumFees(mapFees(components, ({ sponsoredUsdE18 }) => sponsoredUsdE18))).to.equal(sponsoredTotalUsdE18);
        mapFees(components, ({ totalUsdE18, sponsoredUsdE18, userPaysUsdE18 }, name) => {
          expect(totalUsdE18).to.equal(sponsoredUsdE18 + userPaysUsdE18);
          expect(totalUsdE18 % MICRO).to.equal(0n);
          const off = totalUsdE18 - given.components[name].totalUsdE18;
          const allowed = name === "swap" ? 4n * MICRO : 2n * MICRO;
          expect(off < allowed && -off < allowed, `${name} ${off}`).to.equal(true);
        });
      }),
    );
  });

  it("counts losses and gains beyond rounding and fees as the swap fee", () => {
    const exact = { swap: 0n, execution: 2n * MICRO, platform: 5n * MICRO, app: 0n };
    const { components } = roundFees(sponsorFees(exact, {}), 4n * MICRO);
    expect(mapFees(components, ({ totalUsdE18 }) => totalUsdE18)).to.deep.equal({ ...exact, swap: -3n * MICRO });
  });

  it("charges the user nothing if all fees are sponsored", () => {
    const exact = { swap: 0n, execution: 170_000_400_000_000_001n, platform: 1_700_000_000_000n, app: 0n };
    const { components, userPaysTotalUsdE18 } = roundFees(sponsorFees(exact, { subsidizeFees: true }));
    expect(userPaysTotalUsdE18).to.equal(0n);
    mapFees(components, ({ userPaysUsdE18 }) => expect(userPaysUsdE18).to.equal(0n));
  });
});
