import { expect } from "chai";
import { maxUint256 } from "viem";

import type { QuoteClaim } from "../../../../../packages/sdk/src/kit.ts";
import {
  quoteNotation,
  type QuoteNotationParameters,
} from "../../../../../packages/crosscall/src/replay/report/quoteNotation.ts";

const USER = "0x00000000000000000000000000000000000000A1";
const DEPOSITORY = "0x00000000000000000000000000000000000000D1";
const USDC = "0x00000000000000000000000000000000000000C1";
const DAI = "0x00000000000000000000000000000000000000C2";

const chain = { name: "one", depositories: [DEPOSITORY], solvers: [] };

const parameters: QuoteNotationParameters = {
  request: {
    user: USER,
    originChainId: 1,
    destinationChainId: 10,
    originCurrency: USDC,
    destinationCurrency: DAI,
    tradeType: "EXACT_INPUT",
    amount: "24813776",
  },
  quote: {
    details: {
      currencyIn: {
        currency: { chainId: 1, address: USDC, symbol: "USDC", decimals: 6 },
        amount: "24813776",
        amountUsd: "24.813776",
      },
      currencyOut: { currency: { chainId: 10, address: DAI, symbol: "DAI", decimals: 18 }, amount: "1" },
    },
  },
  trust: { 1: chain, 10: chain },
};
const notation = quoteNotation({
  ...parameters,
  currencies: {
    1: [{ address: USDC, symbol: "USDC", decimals: 6 }],
    10: [{ address: DAI, symbol: "DAI", decimals: 18 }],
  },
});

const claim = (code: QuoteClaim["code"]): QuoteClaim => ({ code, path: "", isMet: false, expected: "", seen: "" });

describe("quoteNotation", () => {
  it("shows amounts in whole units with their value, and names known accounts", () => {
    const parts = [
      "approves ",
      { amount: "24813776", currency: USDC },
      " of ",
      { account: USER.toLowerCase() },
      " for ",
      { account: DEPOSITORY },
    ];
    expect(parts.map((part) => notation.part(part)).join("")).to.equal(
      "approves 24.813776 USDC ($24.81) of user for depository",
    );
    expect(notation.part({ amount: maxUint256.toString(), currency: USDC })).to.equal("unlimited USDC");
  });

  it("keeps unknown values as they are in the quote", () => {
    expect(notation.part({ account: DAI })).to.equal(DAI);
    expect(notation.part({ amount: "undefined", currency: USDC })).to.equal(`undefined of ${USDC}`);
    expect(notation.part({ amount: "7", currency: DAI })).to.equal(`7 in the smallest unit of ${DAI}`);
  });

  it("marks symbols and decimals that only the service states", () => {
    const stated = quoteNotation(parameters);
    expect(stated.part({ amount: "24813776", currency: USDC })).to.equal(
      "24813776 (stated as 24.813776 USDC ($24.81))",
    );
    expect(stated.part({ amount: maxUint256.toString(), currency: USDC })).to.equal(`unlimited ${USDC}`);
    expect(stated.claimValue(claim("TRANSACTION_VALUE"), "1000000000000000000")).to.equal("1 ETH");

    const currencies = { 1: [{ address: USDC, symbol: "SHIB", decimals: 2 }] } as const;
    const other = quoteNotation({ ...parameters, currencies });
    expect(other.part({ amount: "24813776", currency: USDC })).to.equal("248137.76 SHIB");
  });

  it("shows the values of a claim in the claim's currency", () => {
    expect(notation.claimValue(claim("INPUT_AMOUNT"), "at most 1000000")).to.equal("at most 1 USDC ($1.00)");
    expect(notation.claimValue(claim("MINIMUM_OUTPUT"), "1000000000000000000 to 2000000000000000000")).to.equal(
      "1 DAI to 2 DAI",
    );
    expect(notation.claimValue(claim("SENDER"), USER)).to.equal("user");
    expect(notation.claimValue(claim("TRANSACTION_GAS"), "at most 16777216")).to.equal("at most 16777216");
  });
});
