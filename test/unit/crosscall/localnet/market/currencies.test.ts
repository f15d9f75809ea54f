import { expect } from "chai";

import {
  amountWorth,
  amountWorthAtLeast,
  CurrencyTable,
  formatUsd,
  pricedCurrencies,
  usdValue,
} from "../../../../../packages/crosscall/src/localnet/market/currencies.ts";
import { USD_ONE } from "../../../../../packages/crosscall/src/localnet/devchain/chainToken.ts";
import { chainTokens } from "../../../../../packages/crosscall/src/localnet/devchain/tokens.ts";
import { findSimulatedChain } from "../../../../../packages/crosscall/src/localnet/market/simulatedChains.ts";
import { SVM_CHAIN_ID } from "../../../../../packages/protocol/src/chains/chainIds.ts";
import { account, contractsWith, originDollar, originEther, otherCurrency } from "./fixtures.ts";

const DOLLAR = account("c");
const CONTRACTS = contractsWith(DOLLAR);
const TOKENS = chainTokens(CONTRACTS);

describe("pricedCurrencies", () => {
  const currency = (address: string, symbol: string, name: string, decimals: number) => ({
    chainId: 5,
    address,
    symbol,
    name,
    decimals,
    metadata: { logoURI: "", verified: true, isNative: symbol === "ETH" },
  });

  it("returns ether at 2,500 dollars, and each of the chain's tokens at its price", () => {
    expect(pricedCurrencies(5, TOKENS)).to.deep.equal([
      { currency: currency(`0x${"00".repeat(20)}`, "ETH", "Ether", 18), priceUsdE18: 2_500n * USD_ONE },
      { currency: currency(DOLLAR, "USDC", "Local Dollar", 6), priceUsdE18: USD_ONE },
      { currency: currency(CONTRACTS.tether, "USDT", "Local Tether", 6), priceUsdE18: USD_ONE },
      { currency: currency(CONTRACTS.wrappedNative, "WETH", "Wrapped Ether", 18), priceUsdE18: 2_500n * USD_ONE },
      { currency: currency(CONTRACTS.token, "TKN", "Local Token", 18), priceUsdE18: 5n * USD_ONE },
      {
        currency: currency(CONTRACTS.feeToken, "FEE", "Local Fee Token", 18),
        priceUsdE18: USD_ONE,
        transferFeeBps: 100n,
      },
    ]);
  });
});

describe("CurrencyTable", () => {
  const table = new CurrencyTable([...pricedCurrencies(5, TOKENS), ...pricedCurrencies(6, TOKENS)]);

  it("finds a currency by chain and case-insensitive address", () => {
    expect(table.find(6, DOLLAR.toLowerCase())?.currency).to.include({ chainId: 6, symbol: "USDC" });
    expect(table.find(5, `0x${"00".repeat(20)}`)?.currency).to.include({ chainId: 5, symbol: "ETH" });
  });

  it("does not find unlisted currencies", () => {
    expect(table.find(7, DOLLAR)).to.equal(undefined);
    expect(table.find(5, account("d"))).to.equal(undefined);
  });

  it("lists the currencies of a chain, with EVM addresses in lowercase", () => {
    expect(table.ofChain(6)).to.deep.equal(
      pricedCurrencies(6, TOKENS).map(({ currency, ...priced }) => ({
        ...priced,
        currency: { ...currency, address: currency.address.toLowerCase() },
      })),
    );
    const { currencies = [] } = findSimulatedChain(SVM_CHAIN_ID) ?? {};
    expect(new CurrencyTable(currencies).ofChain(SVM_CHAIN_ID)).to.deep.equal(currencies);
    expect(table.ofChain(7)).to.deep.equal([]);
  });
});

describe("a price", () => {
  const coin = otherCurrency("COIN", 3, 3n * USD_ONE);

  it("converts an amount to a value, rounded down", () => {
    expect(usdValue(10n ** 18n, originEther)).to.equal(2_500n * USD_ONE);
    expect(usdValue(1n, originEther)).to.equal(2_500n);
    expect(usdValue(1_500_000n, originDollar)).to.equal((3n * USD_ONE) / 2n);
    expect(usdValue(1n, otherCurrency("DUST", 18, USD_ONE - 1n))).to.equal(0n);
  });

  it("converts a value to an amount, rounded down or up", () => {
    const cases: [bigint, bigint, bigint][] = [
      [0n, 0n, 0n],
      [1n, 0n, 1n],
      [3n * USD_ONE, 1_000n, 1_000n],
      [USD_ONE, 333n, 334n],
      [3n * USD_ONE + 1n, 1_000n, 1_001n],
    ];
    for (const [usd, down, up] of cases) {
      expect([amountWorth(usd, coin), amountWorthAtLeast(usd, coin)]).to.deep.equal([down, up]);
    }
  });

  it("converts a value to the smallest sufficient amount", () => {
    for (const usd of [1n, 2_499n, 2_500n, 2_501n, USD_ONE, USD_ONE + 1n]) {
      for (const currency of [originEther, originDollar, coin]) {
        const least = amountWorthAtLeast(usd, currency);
        expect(usdValue(least, currency) >= usd).to.equal(true);
        expect(usdValue(least - 1n, currency) < usd).to.equal(true);
      }
    }
  });
});

describe("formatUsd", () => {
  const cases: [bigint, string][] = [
    [0n, "0.000000"],
    [USD_ONE, "1.000000"],
    [(2n * USD_ONE) / 100n, "0.020000"],
    [1_234_567_890_123_456_789n, "1.234567"],
    [10n ** 12n, "0.000001"],
    [10n ** 12n - 1n, "0.000000"],
    [-USD_ONE, "-1.000000"],
    [-(3n * USD_ONE) / 2n, "-1.500000"],
    [-(10n ** 12n), "-0.000001"],
    [-(10n ** 12n) + 1n, "0.000000"],
    [1_000_000n * USD_ONE, "1000000.000000"],
  ];
  for (const [usdE18, text] of cases) {
    it(`formats ${usdE18} as ${text}`, () => {
      expect(formatUsd(usdE18)).to.equal(text);
    });
  }
});
