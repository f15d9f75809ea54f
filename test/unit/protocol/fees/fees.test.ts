import { expect } from "chai";
import fc from "fast-check";
import { readFileSync } from "node:fs";

import {
  fromQuoteFees,
  mapFees,
  sumFees,
  toFeeComponent,
  toQuoteFeeComponent,
  toQuoteFees,
} from "../../../../packages/protocol/src/fees/feeComponents.ts";
import {
  type FeeCurrency,
  MAJOR_STABLECOINS,
  MAJOR_TOKENS,
  platformFee,
  type PlatformFeeType,
  transactionTypeOf,
} from "../../../../packages/protocol/src/fees/platformFee.ts";
import {
  REVENUE_SHARE_REASONS,
  revenueShare,
  type RevenueShareParameters,
} from "../../../../packages/protocol/src/fees/revenueShare.ts";
import { formatUsd, parseUsd, USD_ONE_E18 } from "../../../../packages/protocol/src/fees/usd.ts";
import { FEE_COMPONENTS, FEE_COMPONENTS_V2 } from "../../../../packages/protocol/src/schema/values.ts";
import { malformed } from "../everyField.ts";
import { SVM_USDC, USER } from "../fixtures.ts";

const fees = { swap: 1n, execution: 20n, platform: 300n, app: 4_000n };

describe("fee components", () => {
  it("have two names for each component, and rent only in v2", () => {
    expect(FEE_COMPONENTS_V2.map(toFeeComponent)).to.deep.equal(["execution", "swap", "platform", "app", undefined]);
    expect(FEE_COMPONENTS.map(toQuoteFeeComponent)).to.deep.equal(["execution", "swap", "relay", "app"]);
    expect(FEE_COMPONENTS.map((name) => toFeeComponent(toQuoteFeeComponent(name)))).to.deep.equal(FEE_COMPONENTS);
  });

  it("are renamed in both directions", () => {
    const quoteFees = { swap: 1n, execution: 20n, relay: 300n, app: 4_000n };
    expect(toQuoteFees(fees)).to.deep.equal(quoteFees);
    expect(fromQuoteFees(quoteFees)).to.deep.equal(fees);
  });

  it("are summed by sumFees", () => {
    expect(sumFees(fees)).to.equal(4_321n);
  });

  it("are mapped one by one, by name", () => {
    expect(mapFees(fees, (fee, name) => `${name} ${fee}`)).to.deep.equal({
      swap: "swap 1",
      execution: "execution 20",
      platform: "platform 300",
      app: "app 4000",
    });
  });
});

const NATIVE_ADDRESS = "0x0000000000000000000000000000000000000000";

/** Returns a verified currency with its own address. */
const on = (chainId: number, symbol: string, isNative = false): FeeCurrency => ({
  chainId,
  address: isNative ? NATIVE_ADDRESS : `0x${Buffer.from(symbol).toString("hex").padStart(40, "0")}`,
  symbol,
  metadata: { verified: true, isNative },
});
const unverified = (currency: FeeCurrency): FeeCurrency => ({
  ...currency,
  metadata: { ...currency.metadata, verified: false },
});

describe("platformFee", () => {
  it("includes the major tokens and stablecoins of the specification", () => {
    expect(MAJOR_STABLECOINS).to.deep.equal(
      "USDC, USDC.e, USDT, USDT0, DAI, USDe, USDS, USD1, PYUSD, USDG, mUSD, USDm, USDH, pUSD, PlumeUSD".split(", "),
    );
    expect(MAJOR_TOKENS).to.deep.equal("ETH, WETH, BTC, WBTC, SOL, WSOL, POL, BNB, PLUME".split(", "));
  });

  const cases: [string, ReturnType<typeof on>, ReturnType<typeof on>, string, bigint][] = [
    ["one token to another chain", on(1, "PEPE"), on(10, "PEPE"), "bridge", 0n],
    ["native to another chain", on(1, "ETH", true), on(10, "ETH", true), "bridge", 0n],
    ["native to its wrapped token", on(1, "ETH", true), on(1, "WETH"), "wrap", 0n],
    ["wrapped token to its native", on(56, "WBNB"), on(56, "BNB", true), "wrap", 0n],
    ["native to its wrapped token, with different letter case", on(100, "xDAI", true), on(100, "WXDAI"), "wrap", 0n],
    ["native to the wrapped token of another chain", on(1, "ETH", true), on(10, "WETH"), "majorSwap", 6n],
    ["two tokens that are named like a wrap", on(1, "BTC"), on(1, "WBTC"), "majorSwap", 6n],
    ["two stablecoins on one chain", on(1, "USDC"), on(1, "USDT"), "stablecoinSwap", 1n],
    ["two stablecoins across chains", on(1, "USDC"), on(137, "USDC.e"), "stablecoinSwap", 1n],
    ["two major tokens", on(1, "ETH", true), on(1, "WBTC"), "majorSwap", 6n],
    ["major token and stablecoin", on(1, "ETH", true), on(10, "DAI"), "majorSwap", 6n],
    ["stablecoin and major token", on(1, "DAI"), on(10, "SOL"), "majorSwap", 6n],
    ["major and minor token", on(1, "ETH", true), on(10, "PEPE"), "minorSwap", 15n],
    ["minor token and stablecoin", on(1, "PEPE"), on(10, "USDC"), "minorSwap", 15n],
    ["two minor tokens", on(1, "PEPE"), on(1, "DOGE"), "minorSwap", 15n],
  ];
  for (const [name, input, output, type, bps] of cases) {
    it(`classifies ${name} as ${type}`, () => {
      expect(platformFee(input, output)).to.deep.equal({ type, bps });
      expect(transactionTypeOf(input, output)).to.equal(type);
    });
  }

  it("does not apply a lower fee to an unverified symbol", () => {
    const pairs: [FeeCurrency, FeeCurrency][] = [
      [unverified(on(1, "USDC")), on(10, "USDT")],
      [on(1, "USDC"), unverified(on(10, "USDT"))],
      [unverified(on(1, "USDC")), on(10, "USDC")],
      [on(1, "ETH", true), unverified(on(1, "WETH"))],
      [on(1, "ETH", true), unverified(on(10, "USDC"))],
    ];
    expect(pairs.map((pair) => transactionTypeOf(...pair))).to.deep.equal(pairs.map(() => "minorSwap"));
  });

  it("treats two tokens with the same symbol on one chain as a swap", () => {
    const other = (currency: FeeCurrency): FeeCurrency => ({ ...currency, address: `0x${"9".repeat(40)}` });
    const pairs = [on(1, "USDC"), on(1, "WBTC"), on(1, "PEPE")].map((currency) => [currency, other(currency)] as const);
    expect(pairs.map((pair) => transactionTypeOf(...pair))).to.deep.equal(["stablecoinSwap", "majorSwap", "minorSwap"]);
    expect(pairs.map(([from, to]) => transactionTypeOf(from, { ...to, chainId: 10 }))).to.deep.equal([
      "bridge",
      "bridge",
      "bridge",
    ]);
  });

  it("requires no verification for a native currency, or for the same currency on one chain", () => {
    expect(transactionTypeOf(unverified(on(1, "ETH", true)), on(10, "USDC"))).to.equal("majorSwap");
    const token = unverified(on(1, "PEPE"));
    expect(transactionTypeOf(token, { ...token, address: token.address.toUpperCase().replace("X", "x") })).to.equal(
      "bridge",
    );
  });
});

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
  // Table from spec 2, section 9.1, for a fee of 10,000.
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

  it("uses the reasons from the page about fees", () => {
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

const parse = (text: string): bigint => parseUsd(text, "it", "a.usd");

describe("parseUsd", () => {
  const cases: [string, bigint][] = [
    ["0", 0n],
    ["-0.00", 0n],
    ["+1", USD_ONE_E18],
    ["-0.035354", -35_354n * 10n ** 12n],
    ["12345678901234567890.5", 12_345_678_901_234_567_890n * USD_ONE_E18 + USD_ONE_E18 / 2n],
    ["1e-7", 10n ** 11n],
    ["1.5E+2", 150n * USD_ONE_E18],
    ["0.0000000000000000019", 1n],
    ["-0.0000000000000000019", -1n],
    ["1e-30", 0n],
  ];
  for (const [text, usdE18] of cases) {
    it(`reads ${text}`, () => {
      expect(parse(text)).to.equal(usdE18);
    });
  }

  for (const text of ["", "-", ".5", "1.", "1,000", "$1", "NaN", "Infinity", "0x1", " 1", "1e9999"]) {
    it(`rejects ${JSON.stringify(text)}`, () => {
      const { what, path } = malformed(() => parse(text));
      expect([what, path]).to.deep.equal(["it", "a.usd"]);
    });
  }
});

describe("formatUsd", () => {
  it("writes every digit, and at least two", () => {
    expect([0n, USD_ONE_E18, -USD_ONE_E18 / 2n, 1n].map((usdE18) => formatUsd(usdE18))).to.deep.equal([
      "0.00",
      "1.00",
      "-0.50",
      "0.000000000000000001",
    ]);
    expect([formatUsd(USD_ONE_E18, 0), formatUsd(USD_ONE_E18, 4)]).to.deep.equal(["1", "1.0000"]);
  });

  it("is the inverse of parseUsd", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(20), (usdE18, digits) => {
        expect(parse(formatUsd(usdE18, digits))).to.equal(usdE18);
      }),
    );
  });
});
