import { expect } from "chai";

import { appFeeShares, executionFee, swapFee } from "../../../../packages/protocol/src/quote/feeRules.ts";
import { USER } from "../fixtures.ts";

const CENT = 10n ** 16n;

describe("executionFee", () => {
  it("is the flat part plus the fill's gas", () => {
    expect(executionFee({ destinationGasUsdE18: 5n * CENT })).to.deep.equal({
      flatUsdE18: 2n * CENT,
      destinationGasUsdE18: 5n * CENT,
      originGasUsdE18: 0n,
      totalUsdE18: 7n * CENT,
    });
  });

  it("includes the deposit's gas if it is gasless", () => {
    const { originGasUsdE18, totalUsdE18 } = executionFee({
      destinationGasUsdE18: 5n * CENT,
      gaslessOriginGasUsdE18: 3n * CENT,
    });
    expect([originGasUsdE18, totalUsdE18]).to.deep.equal([3n * CENT, 10n * CENT]);
  });
});

describe("swapFee", () => {
  it("is the sum of the exchange's fee, its impact and the rebalancing", () => {
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
