import { expect } from "chai";
import fc from "fast-check";

import { MalformedDataError } from "../../../packages/protocol/src/core/errors.ts";
import type { FeeTable } from "../../../packages/protocol/src/fees/feeTable.ts";
import { formatFeeTable } from "../../../packages/protocol/src/fees/formatFeeTable.ts";
import { findMismatch } from "../../../packages/protocol/src/schema/checkSchema.ts";
import { parseData } from "../../../packages/protocol/src/schema/parse.ts";
import { type Quote, QuoteSchema } from "../../../packages/protocol/src/quote/quote.ts";
import { quoteFeeTable } from "../../../packages/protocol/src/quote/quoteFeeTable.ts";
import { findQuoteProblem, findQuoteProblems } from "../../../packages/protocol/src/quote/quoteRules.ts";
import { parseUsd } from "../../../packages/protocol/src/fees/usd.ts";
import { quote as wholeQuote, quoteRequest } from "./fixtures.ts";

const whole = parseData(QuoteSchema, wholeQuote, "it");

const usd = fc.oneof(
  fc
    .tuple(fc.constantFrom("", "-"), fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.stringMatching(/^(\.\d{1,20})?$/u))
    .map((parts) => parts.join("")),
  fc
    .tuple(fc.integer({ min: -99, max: 99 }), fc.integer({ min: -20, max: 9 }))
    .map(([digits, power]) => `${digits}e${power}`),
);

/** Generates quotes with US dollar amounts that the given generator creates. */
function quotes(text: fc.Arbitrary<string>): fc.Arbitrary<Quote> {
  const component = fc.record({ usd: text });
  const impacts = fc.record(
    { swap: component, execution: component, relay: component, app: component, sponsored: component },
    { requiredKeys: ["swap", "execution", "relay", "app"] },
  );
  return fc
    .tuple(impacts, text, text, text, text, fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }))
    .map(([expandedPriceImpact, total, inputUsd, outputUsd, gasUsd, minimum]) => ({
      ...whole,
      fees: { ...whole.fees, gas: { ...whole.fees.gas, amountUsd: gasUsd } },
      details: {
        ...whole.details,
        expandedPriceImpact: expandedPriceImpact,
        totalImpact: { usd: total, percent: "0" },
        currencyIn: { ...whole.details.currencyIn, amountUsd: inputUsd },
        currencyOut: { ...whole.details.currencyOut, amountUsd: outputUsd, minimumAmount: minimum.toString() },
      },
    }));
}

function expectToAddUp(table: FeeTable): void {
  const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
  expect(sum(table.lines.map(({ usdE18 }) => usdE18))).to.equal(table.totalUsdE18);
  expect(sum(Object.values(table.groups))).to.equal(table.totalUsdE18);
  expect(table.userPaysUsdE18 + table.sponsorPaysUsdE18).to.equal(table.totalUsdE18);
  for (const { statedUsdE18, summedUsdE18, differenceUsdE18 } of table.mismatches) {
    expect(summedUsdE18 + differenceUsdE18).to.equal(statedUsdE18);
    expect(differenceUsdE18).not.to.equal(0n);
  }
}

describe("the fee table of any quote", () => {
  it("adds up, even when printed", () => {
    fc.assert(
      fc.property(quotes(usd), fc.boolean(), (quote, hasActivationFee) => {
        expect(findMismatch(QuoteSchema, quote)).to.equal(undefined);
        const table = quoteFeeTable(quote, { hasActivationFee });
        expectToAddUp(table);
        const printed = new Map(
          formatFeeTable(table)
            .split("\n")
            .flatMap((line) => [...line.matchAll(/^( {0,2}\w.*?) {2,}(-?\d+\.\d+) USD$/gu)])
            .map(([, label = "", number = ""]) => [label, parseUsd(number, "it", label)]),
        );
        const of = (label: string): bigint => printed.get(label) ?? 0n;
        expect(of("provider fee") + of("app fee") + of("swap impact") + of("activation fee")).to.equal(of("total"));
        expect(of("  swap") + of("  execution")).to.equal(of("swap impact"));
        expect(of("sponsor pays") + of("user pays")).to.equal(of("total"));
        expect(of("total")).to.equal(table.totalUsdE18);
      }),
    );
  });

  it("adds up, or reports the value that is not a number", () => {
    fc.assert(
      fc.property(quotes(fc.oneof(usd, fc.string())), (quote) => {
        try {
          expectToAddUp(quoteFeeTable(quote));
        } catch (error) {
          if (!(error instanceof MalformedDataError)) throw error;
          const text = error.path.split(".").reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], quote);
          expect(text).to.be.a("string");
          expect(() => parseUsd(text as string, "it", "")).to.throw(MalformedDataError);
        }
      }),
    );
  });
});

describe("the quote rules", () => {
  const expectProblems = (request: unknown): void => {
    const problems = findQuoteProblems(request);
    for (const { field, reason, hint } of problems) expect([field, reason, hint]).not.to.include("");
    expect(findQuoteProblem(request)).to.deep.equal(problems[0]);
  };

  it("do not throw for any JSON", () => {
    fc.assert(fc.property(fc.jsonValue(), expectProblems));
  });

  it("do not throw for a request with any JSON in its fields", () => {
    const anything = fc.dictionary(fc.constantFrom(...Object.keys(quoteRequest)), fc.jsonValue());
    fc.assert(fc.property(anything, (changes) => expectProblems({ ...quoteRequest, ...changes })));
  });

  it("do not throw for a well-formed request with any text", () => {
    const text = fc.oneof(fc.string(), fc.constantFrom("0", "1", "0x", "11111111111111111111111111111111"));
    const chainId = fc.constantFrom(1, 792_703_809, 3_586_256);
    const requests = fc.record({
      user: text,
      originChainId: chainId,
      destinationChainId: chainId,
      originCurrency: text,
      destinationCurrency: text,
      tradeType: fc.constantFrom("EXACT_INPUT", "EXPECTED_OUTPUT", "EXACT_OUTPUT"),
      amount: text,
      recipient: text,
      refundTo: text,
      txs: fc.array(fc.record({ to: text, data: text, value: text })),
      slippageTolerance: text,
      appFees: fc.array(fc.record({ recipient: text, fee: text })),
      maxSubsidizationAmount: text,
      includedOriginSwapSources: fc.array(text),
    });
    fc.assert(fc.property(requests, expectProblems));
  });
});
