import { expect } from "chai";
import fc from "fast-check";

import { USD_ONE_E18 } from "../../../../packages/protocol/src/fees/usd.ts";
import { appFeeShares, executionFee, swapFee } from "../../../../packages/protocol/src/quote/feeRules.ts";
import type { SponsorshipRequest } from "../../../../packages/protocol/src/quote/quoteSponsorshipRules.ts";
import { sponsorFees } from "../../../../packages/protocol/src/quote/sponsorFees.ts";
import { FEE_COMPONENTS, FEE_COMPONENTS_V2 } from "../../../../packages/protocol/src/schema/values.ts";
import { refusal } from "../../../support/rejection.ts";
import { USER } from "../fixtures.ts";

const [execution, swap, platform, app] = [4n, 3n, 2n, 1n].map((dollars) => dollars * USD_ONE_E18) as [
  bigint,
  bigint,
  bigint,
  bigint,
];
const fees = { execution, swap, platform, app };

/** Returns the sponsor's share of each component in whole dollars, and whether the cap is reached. */
function sponsored(request: SponsorshipRequest, of = fees): unknown[] {
  const { components, isCapHit } = sponsorFees(of, request);
  return [...FEE_COMPONENTS.map((name) => components[name].sponsoredUsdE18 / USD_ONE_E18), isCapHit];
}

describe("sponsorFees", () => {
  const cases: Record<string, [SponsorshipRequest, unknown[]]> = {
    "nothing without a sponsor": [{}, [0n, 0n, 0n, 0n, false]],
    "all with subsidizeFees": [{ subsidizeFees: true }, [4n, 3n, 2n, 1n, false]],
    "the chosen components, by their names in quotes": [
      { sponsoredFeeComponents: ["execution", "relay", "rent"] },
      [4n, 0n, 2n, 0n, false],
    ],
    "the chosen components together with subsidizeFees": [
      { subsidizeFees: true, sponsoredFeeComponents: ["swap"] },
      [0n, 3n, 0n, 0n, false],
    ],
    "up to the cap, in order": [{ subsidizeFees: true, maxSubsidizationAmount: "8000000" }, [4n, 3n, 1n, 0n, true]],
    "all within the cap": [{ subsidizeFees: true, maxSubsidizationAmount: "10000000" }, [4n, 3n, 2n, 1n, false]],
    "nothing with a cap of zero": [{ subsidizeFees: true, maxSubsidizationAmount: "0" }, [0n, 0n, 0n, 0n, true]],
    "no fees of a deposit address above its cap": [
      { subsidizeFees: true, maxSubsidizationAmount: "9999999", useDepositAddress: true },
      [0n, 0n, 0n, 0n, true],
    ],
    "all fees of a deposit address within its cap": [
      { subsidizeFees: true, maxSubsidizationAmount: "10000000", useDepositAddress: true },
      [4n, 3n, 2n, 1n, false],
    ],
  };
  for (const [name, [request, paid]] of Object.entries(cases)) {
    it(`pays ${name}`, () => {
      expect(sponsored(request)).to.deep.equal(paid);
    });
  }

  it("returns the parts and the totals", () => {
    const { components, ...totals } = sponsorFees(fees, { sponsoredFeeComponents: ["app"] });
    expect(totals).to.deep.equal({
      sponsoredTotalUsdE18: app,
      userPaysTotalUsdE18: 9n * USD_ONE_E18,
      isCapHit: false,
    });
    expect([components.app, components.swap]).to.deep.equal([
      { isSelected: true, totalUsdE18: app, sponsoredUsdE18: app, userPaysUsdE18: 0n },
      { isSelected: false, totalUsdE18: swap, sponsoredUsdE18: 0n, userPaysUsdE18: swap },
    ]);
  });

  it("does not sponsor amounts in the user's favor", () => {
    expect(sponsored({ subsidizeFees: true }, { ...fees, swap: -swap })).to.deep.equal([4n, 0n, 2n, 1n, false]);
  });

  it("rejects the values that the service rejects", () => {
    const request: SponsorshipRequest = { useDepositAddress: true, sponsoredFeeComponents: ["relay"] };
    expect(refusal(() => sponsorFees(fees, request))).to.deep.equal({
      code: "INVALID_INPUT",
      field: "sponsoredFeeComponents",
      value: '["relay"]',
    });
  });

  it("always adds up, and never pays more than the cap", () => {
    const usd = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n });
    fc.assert(
      fc.property(
        fc.record({ execution: usd, swap: usd, platform: usd, app: usd }),
        fc.uniqueArray(fc.constantFrom(...FEE_COMPONENTS_V2), { minLength: 1 }),
        fc.bigInt({ min: 0n, max: 10n ** 13n }),
        (of, sponsoredFeeComponents, cap) => {
          const request = { sponsoredFeeComponents, maxSubsidizationAmount: cap.toString() };
          const { sponsoredTotalUsdE18, userPaysTotalUsdE18 } = sponsorFees(of, request);
          const total = of.execution + of.swap + of.platform + of.app;
          expect(sponsoredTotalUsdE18 + userPaysTotalUsdE18).to.equal(total);
          expect(sponsoredTotalUsdE18 >= 0n && sponsoredTotalUsdE18 <= cap * 10n ** 12n).to.equal(true);
        },
      ),
    );
  });
});

const CENT = 10n ** 16n;

describe("executionFee", () => {
  it("returns the flat part plus the fill's gas", () => {
    expect(executionFee({ destinationGasUsdE18: 5n * CENT })).to.deep.equal({
      flatUsdE18: 2n * CENT,
      destinationGasUsdE18: 5n * CENT,
      originGasUsdE18: 0n,
      totalUsdE18: 7n * CENT,
    });
  });

  it("includes the deposit's gas if the deposit is gasless", () => {
    const { originGasUsdE18, totalUsdE18 } = executionFee({
      destinationGasUsdE18: 5n * CENT,
      gaslessOriginGasUsdE18: 3n * CENT,
    });
    expect([originGasUsdE18, totalUsdE18]).to.deep.equal([3n * CENT, 10n * CENT]);
  });
});

describe("swapFee", () => {
  it("returns the sum of the exchange's fee, its price impact and the rebalancing fee", () => {
    expect(swapFee({ dexFeeUsdE18: 100n, dexImpactUsdE18: -30n, rebalancingUsdE18: 2n })).to.equal(72n);
  });
});

describe("appFeeShares", () => {
  it("computes each recipient's share, rounded down", () => {
    const other = USER.toLowerCase();
    const appFees = [
      { recipient: USER, fee: "100" },
      { recipient: other, fee: "33" },
    ];
    expect(appFeeShares(appFees, 10_001n)).to.deep.equal([
      { recipient: USER, feeBps: 100n, usdE18: 100n },
      { recipient: other, feeBps: 33n, usdE18: 33n },
    ]);
    expect(appFeeShares(undefined, 10_001n)).to.deep.equal([]);
  });
});
