import { expect } from "chai";

import { PUBLIC_CONTRACTS } from "../../../packages/protocol/src/generations/routers.ts";
import type { QuoteRequest } from "../../../packages/protocol/src/quote/quoteRequest.ts";
import { findQuoteProblem, findQuoteProblems } from "../../../packages/protocol/src/quote/quoteRules.ts";
import { USER } from "./fixtures.ts";
import { base, call, exactOutput, toExchange } from "./quoteRequests.ts";

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

  it("does not report the calls for an invalid amount", () => {
    expect(fieldsOf({ ...exactOutput, amount: "x" })).to.deep.equal(["amount"]);
  });

  it("does not compare the amount with the values of calls without a router", () => {
    const request = { ...toExchange, tradeType: "EXACT_OUTPUT", txs: [call] };
    expect(fieldsOf(request)).to.deep.equal(["destinationChainId"]);
  });

  it("lists every malformed field, and then no rules", () => {
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

  it("refuses every public router and approval proxy as an account that receives", () => {
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
