import { expect } from "chai";

import { MAJOR_STABLECOINS, MAJOR_TOKENS, platformFee } from "../../../src/protocol/platformFee.ts";

const on = (chainId: number, symbol: string, isNative = false) => ({ chainId, symbol, isNative });

describe("platformFee", () => {
  it("knows the major tokens and stablecoins of the specification", () => {
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
    it(`takes ${name} for ${type}`, () => {
      expect(platformFee(input, output)).to.deep.equal({ type, bps });
    });
  }
});
