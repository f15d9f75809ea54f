import { expect } from "chai";

import { formatCurrencyAmount } from "../../../../packages/protocol/src/common/formatCurrencyAmount.ts";
import { isNativeCurrency } from "../../../../packages/protocol/src/common/isNativeCurrency.ts";
import { NATIVE, SVM_USDC, USDC } from "../fixtures.ts";

describe("isNativeCurrency", () => {
  const cases: [Parameters<typeof isNativeCurrency>[0], boolean | undefined][] = [
    [{ chainId: 8453, address: NATIVE, metadata: {} }, true],
    [{ chainId: 8453, address: USDC }, false],
    [{ chainId: 8453, address: USDC, metadata: { isNative: true } }, true],
    [{ chainId: 8453, address: USDC, metadata: { isNative: null } }, false],
    [{ chainId: 792_703_809, address: "11111111111111111111111111111111" }, true],
    [{ chainId: 792_703_809, address: SVM_USDC }, false],
    [{ chainId: 8453 }, undefined],
    [{ address: NATIVE }, undefined],
    [{ chainId: 4_242_424_242, address: NATIVE }, undefined],
  ];
  for (const [currency, expected] of cases) {
    it(`is ${expected} for ${JSON.stringify(currency)}`, () => {
      expect(isNativeCurrency(currency)).to.equal(expected);
    });
  }
});

describe("formatCurrencyAmount", () => {
  it("has whole units and the symbol, and reports missing decimals", () => {
    expect(formatCurrencyAmount(1_500_000n, { symbol: "USDC", decimals: 6 })).to.equal("1.5 USDC");
    expect(formatCurrencyAmount(7n, { symbol: "USDC" })).to.equal("7 units USDC");
    expect(formatCurrencyAmount(7n, { address: USDC, decimals: 0 })).to.equal(`7 ${USDC}`);
  });
});
