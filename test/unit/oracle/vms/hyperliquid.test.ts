import { expect } from "chai";

import { amountOf } from "../../../../packages/oracle/src/vms/hyperliquid/transfers.ts";

describe("the amount and currency of a Hyperliquid transfer", () => {
  const amountWith = (decimals: number, amount: string): Promise<bigint> =>
    amountOf({ decimalsOf: () => Promise.resolve(decimals) }, { token: "COIN", market: "spot", amount } as Parameters<
      typeof amountOf
    >[1]);

  it("is exact if the token has enough decimals", async () => {
    expect(await amountWith(2, "39.99")).to.equal(3_999n);
    expect(await amountWith(8, "39.99999999")).to.equal(3_999_999_999n);
    expect(await amountWith(0, "5")).to.equal(5n);
  });

  it("never exceeds the received amount", async () => {
    expect(await amountWith(2, "0.005")).to.equal(0n);
    expect(await amountWith(2, "39.995")).to.equal(3_999n);
    expect(await amountWith(0, "0.5")).to.equal(0n);
  });
});
