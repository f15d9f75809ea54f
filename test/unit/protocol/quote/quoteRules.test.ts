import { expect } from "chai";

import { SVM_CHAIN_ID } from "../../../../packages/protocol/src/chains/chainIds.ts";
import { PUBLIC_CONTRACTS } from "../../../../packages/protocol/src/generations/routers.ts";
import type { QuoteProblem } from "../../../../packages/protocol/src/quote/quoteProblem.ts";
import type { QuoteRequest } from "../../../../packages/protocol/src/quote/quoteRequest.ts";
import { findQuoteProblem, findQuoteProblems } from "../../../../packages/protocol/src/quote/quoteRules.ts";
import {
  base,
  call,
  calls,
  exactOutput,
  FOREIGN_NATIVE,
  fromExchange,
  NATIVE,
  SVM_USDC,
  toExchange,
  toSvm,
  USDC,
  USER,
} from "../fixtures.ts";

/** Rule that a request breaks: code, field and value. */
type Broken = [QuoteProblem["errorCode"], string, unknown];

const REFUSED: Record<string, [QuoteRequest, Broken]> = {
  "a user that is not an EVM address": [{ ...base, user: "0x12" }, ["INVALID_ADDRESS", "user", "0x12"]],
  "a user with a wrong checksum": [
    { ...base, user: USER.replace("F0AE", "f0AE") },
    ["INVALID_ADDRESS", "user", USER.replace("F0AE", "f0AE")],
  ],
  "an SVM user on an EVM chain": [{ ...base, user: SVM_USDC }, ["INVALID_ADDRESS", "user", SVM_USDC]],
  "a recipient that is not an EVM address": [{ ...base, recipient: "" }, ["INVALID_ADDRESS", "recipient", ""]],
  "an invalid refund address": [{ ...base, refundTo: SVM_USDC }, ["INVALID_ADDRESS", "refundTo", SVM_USDC]],
  "an origin currency that is not an address": [
    { ...base, originCurrency: "ETH" },
    ["INVALID_INPUT_CURRENCY", "originCurrency", "ETH"],
  ],
  "a destination currency that is not an address": [
    { ...base, destinationCurrency: "ETH" },
    ["INVALID_OUTPUT_CURRENCY", "destinationCurrency", "ETH"],
  ],
  "an EVM recipient on the SVM chain": [{ ...toSvm, recipient: USER }, ["INVALID_ADDRESS", "recipient", USER]],
  "an SVM recipient of the wrong length": [
    { ...toSvm, recipient: SVM_USDC.slice(3) },
    ["INVALID_ADDRESS", "recipient", SVM_USDC.slice(3)],
  ],
  "an SVM recipient that is 32 bytes of hex": [
    { ...toSvm, recipient: `0x${"11".repeat(32)}` },
    ["INVALID_ADDRESS", "recipient", `0x${"11".repeat(32)}`],
  ],
  "an EVM currency on the SVM chain": [
    { ...toSvm, destinationCurrency: USDC },
    ["INVALID_OUTPUT_CURRENCY", "destinationCurrency", USDC],
  ],
  "no recipient if the user cannot receive": [
    { ...base, destinationChainId: SVM_CHAIN_ID, destinationCurrency: SVM_USDC },
    ["INVALID_RECIPIENT", "recipient", undefined],
  ],
  "a wallet as recipient on the exchange chain": [
    { ...toExchange, recipient: USER },
    ["INVALID_ADDRESS", "recipient", USER],
  ],
  "a wallet as user of the exchange chain": [{ ...fromExchange, user: USER }, ["INVALID_ADDRESS", "user", USER]],
  "a currency of the exchange chain that is not an index": [
    { ...fromExchange, originCurrency: "03" },
    ["INVALID_INPUT_CURRENCY", "originCurrency", "03"],
  ],
  "the native currency in another service's format": [
    { ...base, destinationCurrency: FOREIGN_NATIVE },
    ["INVALID_OUTPUT_CURRENCY", "destinationCurrency", FOREIGN_NATIVE],
  ],
  "an SVM recipient in lowercase": [
    { ...toSvm, recipient: SVM_USDC.toLowerCase() },
    ["INVALID_ADDRESS", "recipient", SVM_USDC.toLowerCase()],
  ],
  "the EVM native currency on the SVM chain": [
    { ...toSvm, destinationCurrency: NATIVE },
    ["INVALID_OUTPUT_CURRENCY", "destinationCurrency", NATIVE],
  ],
  "an account index above the largest safe number": [
    { ...toExchange, recipient: "9007199254740992" },
    ["INVALID_ADDRESS", "recipient", "9007199254740992"],
  ],
  "a withdrawal above the largest safe number": [
    { ...fromExchange, amount: "9007199254740992" },
    ["INVALID_REQUEST", "amount", "9007199254740992"],
  ],
  "an empty list of swap sources": [
    { ...base, includedOriginSwapSources: [] },
    ["INVALID_REQUEST", "includedOriginSwapSources", []],
  ],
  "a swap source without a name": [
    { ...base, includedOriginSwapSources: ["a", " "] },
    ["INVALID_REQUEST", "includedOriginSwapSources[1]", " "],
  ],
  "a swap source listed twice": [
    { ...base, includedOriginSwapSources: ["a", "a"] },
    ["INVALID_REQUEST", "includedOriginSwapSources[1]", "a"],
  ],
  "sponsored components of a deposit address": [
    { ...base, useDepositAddress: true, sponsoredFeeComponents: ["relay"] },
    ["INVALID_REQUEST", "sponsoredFeeComponents", ["relay"]],
  ],
  "an empty list of sponsored components": [
    { ...base, sponsoredFeeComponents: [] },
    ["INVALID_REQUEST", "sponsoredFeeComponents", []],
  ],
  "a sponsored component listed twice": [
    { ...base, sponsoredFeeComponents: ["app", "app"] },
    ["INVALID_REQUEST", "sponsoredFeeComponents", ["app", "app"]],
  ],
  "a cap that is not an amount": [
    { ...base, subsidizeFees: true, maxSubsidizationAmount: "1.5" },
    ["INVALID_REQUEST", "maxSubsidizationAmount", "1.5"],
  ],
  "a cap without a sponsorship": [
    { ...base, subsidizeFees: false, maxSubsidizationAmount: "1" },
    ["INVALID_REQUEST", "maxSubsidizationAmount", "1"],
  ],
  "a zero gas limit of calls in the deposit": [
    { ...base, gasLimitForDepositSpecifiedTxs: 0 },
    ["INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS", "gasLimitForDepositSpecifiedTxs", 0],
  ],
  "an amount with a fraction": [{ ...base, amount: "1.5" }, ["INVALID_REQUEST", "amount", "1.5"]],
  "an amount of zero": [{ ...base, amount: "0" }, ["AMOUNT_TOO_LOW", "amount", "0"]],
  "a call to a target that is not an EVM address": [
    { ...base, txs: [call, { ...call, to: "vault" }] },
    ["INVALID_EXTRA_TXS", "txs[1].to", "vault"],
  ],
  "call data of half a byte": [
    { ...base, txs: [{ ...call, data: "0x123" }] },
    ["INVALID_EXTRA_TXS", "txs[0].data", "0x123"],
  ],
  "call data that is not hex": [
    { ...base, txs: [{ ...call, data: "transfer" }] },
    ["INVALID_EXTRA_TXS", "txs[0].data", "transfer"],
  ],
  "a call value in hex": [
    { ...base, txs: [call, { ...call, value: "0x1" }] },
    ["INVALID_EXTRA_TXS", "txs[1].value", "0x1"],
  ],
  "calls with EXPECTED_OUTPUT": [
    { ...exactOutput, tradeType: "EXPECTED_OUTPUT" },
    ["EXTRA_TXS_NOT_SUPPORTED", "tradeType", "EXPECTED_OUTPUT"],
  ],
  "calls on a chain without a router": [
    { ...toSvm, txs: [call] },
    ["EXTRA_TXS_NOT_SUPPORTED", "destinationChainId", SVM_CHAIN_ID],
  ],
  "EXACT_OUTPUT of native above the sum of values": [
    { ...exactOutput, amount: "101" },
    ["INVALID_EXTRA_TXS", "amount", "101"],
  ],
  "EXACT_OUTPUT of native below the sum of values": [
    { ...exactOutput, amount: "99" },
    ["INVALID_EXTRA_TXS", "amount", "99"],
  ],
  "EXACT_OUTPUT of a token with a call value": [
    { ...exactOutput, destinationCurrency: USDC, txs: [{ ...call, value: "0" }, call] },
    ["INVALID_EXTRA_TXS", "txs[1].value", "60"],
  ],
  "a slippage tolerance above 100%": [
    { ...base, slippageTolerance: "10001" },
    ["INVALID_SLIPPAGE_TOLERANCE", "slippageTolerance", "10001"],
  ],
  "a slippage tolerance in percent": [
    { ...base, slippageTolerance: "0.5" },
    ["INVALID_SLIPPAGE_TOLERANCE", "slippageTolerance", "0.5"],
  ],
  "an app fee without a recipient": [
    { ...base, appFees: [{ recipient: "me", fee: "1" }] },
    ["INVALID_ADDRESS", "appFees[0].recipient", "me"],
  ],
  "a negative app fee": [
    { ...base, appFees: [{ recipient: USER, fee: "-1" }] },
    ["INVALID_REQUEST", "appFees[0].fee", "-1"],
  ],
  "an app fee above 100%": [
    {
      ...base,
      appFees: [
        { recipient: USER, fee: "1" },
        { recipient: USER, fee: "10001" },
      ],
    },
    ["INVALID_REQUEST", "appFees[1].fee", "10001"],
  ],
  "app fees that add up to more than 100%": [
    { ...base, appFees: Array.from({ length: 2 }, () => ({ recipient: USER, fee: "5001" })) },
    ["INVALID_REQUEST", "appFees", Array.from({ length: 2 }, () => ({ recipient: USER, fee: "5001" }))],
  ],
};

const ACCEPTED: Record<string, QuoteRequest> = {
  "a bridge": base,
  "lower case addresses": { ...base, user: USER.toLowerCase() },
  "a deposit to the SVM chain": toSvm,
  "a withdrawal from the SVM chain": {
    ...base,
    user: SVM_USDC,
    refundTo: SVM_USDC,
    recipient: USER,
    originChainId: SVM_CHAIN_ID,
    originCurrency: "11111111111111111111111111111111",
  },
  "a deposit to the exchange chain": toExchange,
  "a withdrawal from the exchange chain": fromExchange,
  "EXPECTED_OUTPUT without calls": { ...base, tradeType: "EXPECTED_OUTPUT", txs: [] },
  "EXACT_OUTPUT of native equal to the sum of values": exactOutput,
  "EXACT_OUTPUT of a token without values": {
    ...exactOutput,
    destinationCurrency: USDC,
    txs: [{ ...call, value: "0" }],
  },
  "EXACT_INPUT with values that do not add up to the amount": { ...base, amount: "7", txs: calls },
  "a deposit address with all fees sponsored": { ...base, useDepositAddress: true, subsidizeFees: true },
  "sponsored components up to a cap": {
    ...base,
    sponsoredFeeComponents: ["execution", "swap", "relay", "app", "rent"],
    maxSubsidizationAmount: "1000000",
  },
  "an account index and a withdrawal at their limits": {
    ...fromExchange,
    user: "9007199254740991",
    amount: "9007199254740991",
  },
  "an output on the exchange chain above that limit": {
    ...fromExchange,
    tradeType: "EXACT_OUTPUT",
    amount: "9007199254740992",
  },
  "slippage and app fees at their limits": {
    ...base,
    slippageTolerance: "10000",
    appFees: [
      { recipient: USER, fee: "0" },
      { recipient: USER, fee: "10000" },
    ],
  },
};

describe("findQuoteProblem", () => {
  for (const [name, [request, broken]] of Object.entries(REFUSED)) {
    it(`rejects ${name}`, () => {
      const problem = findQuoteProblem(request);
      expect([problem?.errorCode, problem?.field, problem?.value]).to.deep.equal(broken);
      expect(problem).to.have.all.keys("errorCode", "field", "value", "reason", "hint");
    });
  }

  for (const [name, request] of Object.entries(ACCEPTED)) {
    it(`accepts ${name}`, () => {
      expect(findQuoteProblem(request)).to.equal(undefined);
    });
  }

  it("reports the first broken rule", () => {
    const all: QuoteRequest = {
      ...exactOutput,
      user: "a",
      recipient: "b",
      refundTo: "c",
      originCurrency: "d",
      destinationCurrency: "e",
      amount: "f",
      txs: [{ to: "g", data: "h", value: "i" }],
      slippageTolerance: "j",
      appFees: [{ recipient: USER, fee: "k" }],
    };
    const hints: [string, Partial<QuoteRequest>][] = [
      ["user", { user: USER }],
      ["recipient", { recipient: USER }],
      ["refundTo", { refundTo: USER }],
      ["originCurrency", { originCurrency: NATIVE }],
      ["destinationCurrency", { destinationCurrency: NATIVE }],
      ["amount", { amount: "60" }],
      ["txs[0].to", { txs: [call] }],
      ["slippageTolerance", { slippageTolerance: "1" }],
      ["appFees[0].fee", { appFees: [] }],
    ];
    let request = all;
    for (const [field, hint] of hints) {
      expect(findQuoteProblem(request)?.field).to.equal(field);
      request = { ...request, ...hint };
    }
    expect(findQuoteProblem(request)).to.equal(undefined);
  });
});

describe("findQuoteProblems", () => {
  const fieldsOf = (request: unknown): string[] => findQuoteProblems(request).map(({ field }) => field);

  it("lists every broken rule, in order", () => {
    const request: QuoteRequest = {
      ...base,
      user: "a",
      recipient: "b",
      refundTo: "c",
      originCurrency: "d",
      destinationCurrency: "e",
      tradeType: "EXPECTED_OUTPUT",
      amount: "f",
      txs: [{ to: "g", data: "h", value: "i" }],
      slippageTolerance: "j",
      appFees: [
        { recipient: "k", fee: "l" },
        { recipient: USER, fee: "10000" },
        { recipient: USER, fee: "1" },
      ],
      useDepositAddress: true,
      sponsoredFeeComponents: [],
      maxSubsidizationAmount: "m",
      includedOriginSwapSources: [""],
    };
    expect(fieldsOf(request)).to.deep.equal([
      "user",
      "recipient",
      "refundTo",
      "originCurrency",
      "destinationCurrency",
      "amount",
      "txs[0].to",
      "txs[0].data",
      "txs[0].value",
      "tradeType",
      "slippageTolerance",
      "appFees[0].recipient",
      "appFees[0].fee",
      "appFees",
      "sponsoredFeeComponents",
      "sponsoredFeeComponents",
      "maxSubsidizationAmount",
      "txs",
      "includedOriginSwapSources[0]",
    ]);
  });

  it("does not report the calls if the amount is invalid", () => {
    expect(fieldsOf({ ...exactOutput, amount: "x" })).to.deep.equal(["amount"]);
  });

  it("does not compare the amount with call values if there is no router", () => {
    const request = { ...toExchange, tradeType: "EXACT_OUTPUT", txs: [call] };
    expect(fieldsOf(request)).to.deep.equal(["destinationChainId"]);
  });

  it("lists every malformed field, and checks no rules afterwards", () => {
    const { user: _user, amount: _amount, ...rest } = base;
    const problems = findQuoteProblems({ ...rest, originCurrency: "?", tradeType: 7, txs: [{ ...call, to: 1 }] });
    expect(problems.map(({ errorCode, field, value }) => [errorCode, field, value])).to.have.deep.members([
      ["INVALID_REQUEST", "user", undefined],
      ["INVALID_REQUEST", "amount", undefined],
      ["INVALID_REQUEST", "tradeType", 7],
      ["INVALID_REQUEST", "txs[0].to", 1],
    ]);
  });

  it("reports the type of a value that is not a request", () => {
    for (const value of [undefined, null, 1, "x", []]) {
      expect(findQuoteProblem(value)).to.deep.include({ errorCode: "INVALID_REQUEST", value });
    }
  });

  it("rejects every public router and approval proxy as a recipient", () => {
    for (const value of PUBLIC_CONTRACTS.keys()) {
      const fields = { user: value, recipient: value, refundTo: value, recoveryAddress: value };
      const problems = findQuoteProblems({ ...base, ...fields, appFees: [{ recipient: value, fee: "1" }] });
      expect(problems.map(({ errorCode, field, value: seen }) => [errorCode, field, seen])).to.deep.equal(
        ["user", "recipient", "refundTo", "recoveryAddress", "appFees[0].recipient"].map((field) => [
          "INVALID_RECIPIENT",
          field,
          value,
        ]),
      );
    }
  });

  it("treats undefined fields as absent", () => {
    expect(findQuoteProblems({ ...base, recipient: undefined, txs: undefined })).to.deep.equal([]);
  });
});
