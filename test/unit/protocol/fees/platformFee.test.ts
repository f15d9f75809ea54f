import { expect } from "chai";

import {
  type FeeCurrency,
  MAJOR_STABLECOINS,
  MAJOR_TOKENS,
  platformFee,
  transactionTypeOf,
} from "../../../../packages/protocol/src/fees/platformFee.ts";

const NATIVE_ADDRESS = "0x0000000000000000000000000000000000000000";

/** A verified currency at its own address. */
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
    ["native to its wrapped token, spelled otherwise", on(100, "xDAI", true), on(100, "WXDAI"), "wrap", 0n],
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

  it("applies no lower fee to an unverified symbol", () => {
    const pairs: [FeeCurrency, FeeCurrency][] = [
      [unverified(on(1, "USDC")), on(10, "USDT")],
      [on(1, "USDC"), unverified(on(10, "USDT"))],
      [unverified(on(1, "USDC")), on(10, "USDC")],
      [on(1, "ETH", true), unverified(on(1, "WETH"))],
      [on(1, "ETH", true), unverified(on(10, "USDC"))],
    ];
    expect(pairs.map((pair) => transactionTypeOf(...pair))).to.deep.equal(pairs.map(() => "minorSwap"));
  });

  it("treats two tokens of one symbol on one chain as a swap", () => {
    const other = (currency: FeeCurrency): FeeCurrency => ({ ...currency, address: `0x${"9".repeat(40)}` });
    const pairs = [on(1, "USDC"), on(1, "WBTC"), on(1, "PEPE")].map((currency) => [currency, other(currency)] as const);
    expect(pairs.map((pair) => transactionTypeOf(...pair))).to.deep.equal(["stablecoinSwap", "majorSwap", "minorSwap"]);
    expect(pairs.map(([from, to]) => transactionTypeOf(from, { ...to, chainId: 10 }))).to.deep.equal([
      "bridge",
      "bridge",
      "bridge",
    ]);
  });

  it("needs no verification for a native currency, or for one currency on its chain", () => {
    expect(transactionTypeOf(unverified(on(1, "ETH", true)), on(10, "USDC"))).to.equal("majorSwap");
    const token = unverified(on(1, "PEPE"));
    expect(transactionTypeOf(token, { ...token, address: token.address.toUpperCase().replace("X", "x") })).to.equal(
      "bridge",
    );
  });
});
