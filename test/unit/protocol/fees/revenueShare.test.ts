import { readFileSync } from "node:fs";

import { expect } from "chai";

import type { PlatformFeeType } from "../../../../packages/protocol/src/fees/platformFee.ts";
import {
  REVENUE_SHARE_REASONS,
  revenueShare,
  type RevenueShareParameters,
} from "../../../../packages/protocol/src/fees/revenueShare.ts";
import { USD_ONE_E18 } from "../../../../packages/protocol/src/fees/usd.ts";
import { SVM_USDC, USER } from "../fixtures.ts";

const MILLION = 1_000_000n * USD_ONE_E18;
const base: RevenueShareParameters = {
  type: "minorSwap",
  platformFeeUsdE18: 10_000n,
  hasApiKey: true,
  isBusinessVerified: true,
  volumeUsdE18: 50n * MILLION,
  wallet: USER,
};

describe("revenueShare", () => {
  // The table of spec 2, section 9.1, for a fee of 10,000.
  const shares: [PlatformFeeType, bigint, bigint][] = [
    ["stablecoinSwap", 3_400n, 6_700n],
    ["majorSwap", 2_500n, 5_000n],
    ["minorSwap", 3_333n, 6_667n],
  ];
  for (const [type, first, second] of shares) {
    it(`shares the fee of a ${type} by volume`, () => {
      const of = (volumeUsdE18: bigint) => revenueShare({ ...base, type, volumeUsdE18 });
      const shared = (shareBps: bigint) => ({
        kind: "shared",
        wallet: USER,
        shareBps,
        integratorUsdE18: shareBps,
        serviceUsdE18: 10_000n - shareBps,
      });
      expect(of(10n * MILLION + 1n)).to.deep.equal(shared(first));
      expect(of(100n * MILLION - 1n)).to.deep.equal(shared(first));
      expect(of(100n * MILLION)).to.deep.equal(shared(second));
      expect(of(1_000n * MILLION)).to.deep.equal(shared(second));
    });
  }

  it("has the reasons of the page on fees", () => {
    const page = readFileSync(new URL("../../../../docs/fees.md", import.meta.url), "utf8");
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\| (.*?) +\|$/gmu)];
    expect(Object.fromEntries(rows.map(([, code, meaning]) => [code, meaning]))).to.deep.equal(REVENUE_SHARE_REASONS);
  });

  it("loses nothing to rounding", () => {
    expect(revenueShare({ ...base, platformFeeUsdE18: 10n })).to.deep.include({
      integratorUsdE18: 3n,
      serviceUsdE18: 7n,
    });
  });

  const none: [Partial<RevenueShareParameters>, string[]][] = [
    [{ hasApiKey: false }, ["NO_API_KEY"]],
    [{ isBusinessVerified: false }, ["BUSINESS_NOT_VERIFIED"]],
    [{ volumeUsdE18: 10n * MILLION }, ["VOLUME_TOO_LOW"]],
    [{ volumeUsdE18: 1_000n * MILLION + 1n }, ["VOLUME_BEYOND_TABLE"]],
    [{ wallet: undefined }, ["NO_EVM_WALLET"]],
    [{ wallet: SVM_USDC }, ["NO_EVM_WALLET"]],
    [{ type: "bridge" }, ["NO_FEE_TO_SHARE"]],
    [{ type: "wrap" }, ["NO_FEE_TO_SHARE"]],
    [
      { hasApiKey: false, isBusinessVerified: false, volumeUsdE18: 0n, wallet: undefined },
      ["NO_API_KEY", "BUSINESS_NOT_VERIFIED", "VOLUME_TOO_LOW", "NO_EVM_WALLET"],
    ],
  ];
  for (const [changes, reasons] of none) {
    it(`leaves the whole fee to the service for ${reasons.join(", ")}`, () => {
      expect(revenueShare({ ...base, ...changes })).to.deep.equal({ kind: "none", reasons, serviceUsdE18: 10_000n });
    });
  }
});
