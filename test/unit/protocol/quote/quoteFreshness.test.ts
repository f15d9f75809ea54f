import { expect } from "chai";

import { minimumOutput } from "../../../../packages/protocol/src/quote/minimumOutput.ts";
import { parseData } from "../../../../packages/protocol/src/schema/parse.ts";
import type { Quote } from "../../../../packages/protocol/src/complete.ts";
import { QuoteSchema } from "../../../../packages/protocol/src/quote/quote.ts";
import { isQuoteFresh, isWorse, QUOTE_FRESH_LIMIT_MS } from "../../../../packages/protocol/src/quote/quoteFreshness.ts";
import { refusal } from "../../../support/rejection.ts";
import { malformed } from "../everyField.ts";
import { NATIVE, quote as wholeQuote } from "../fixtures.ts";

const whole = parseData(QuoteSchema, wholeQuote, "it");

/** Returns a quote with this input and output, in currencies other than its order's. */
function quoteOf(input: string, minimum: string): Quote {
  const { currencyIn, currencyOut } = whole.details;
  return {
    ...whole,
    details: {
      ...whole.details,
      currencyIn: { ...currencyIn, amount: input },
      currencyOut: { ...currencyOut, minimumAmount: minimum },
    },
  };
}

describe("isQuoteFresh", () => {
  const cases: [number, number | undefined, boolean][] = [
    [1_000, undefined, true],
    [1_000 + QUOTE_FRESH_LIMIT_MS, undefined, true],
    [1_001 + QUOTE_FRESH_LIMIT_MS, undefined, false],
    [1_500, 500, true],
    [1_501, 500, false],
    [999, undefined, false],
    [Number.NaN, undefined, false],
  ];
  for (const [nowMs, limitMs, fresh] of cases) {
    it(`returns ${fresh} at ${nowMs} with the limit ${limitMs ?? "omitted"}`, () => {
      expect(isQuoteFresh({ quotedAtMs: 1_000 }, nowMs, limitMs)).to.equal(fresh);
    });
  }
});

describe("isWorse", () => {
  const old = quoteOf("1000000", "2000000");
  const cases: [string, string, bigint, boolean][] = [
    ["1000000", "2000000", 0n, false],
    ["1000000", "1999999", 0n, true],
    ["1000001", "2000000", 0n, true],
    ["999999", "2000001", 0n, false],
    ["1000000", "1990000", 50n, false],
    ["1000000", "1989999", 50n, true],
    ["1005000", "2000000", 50n, false],
    ["1005001", "2000000", 50n, true],
    ["500000", "1000000", 50n, true],
  ];
  for (const [input, minimum, toleranceBps, worse] of cases) {
    it(`returns ${worse} for the input ${input} and the minimum output ${minimum} with ${toleranceBps} bps`, () => {
      expect(isWorse(quoteOf(input, minimum), old, toleranceBps)).to.equal(worse);
    });
  }

  it("rejects a comparison of different currencies", () => {
    const { currencyIn, currencyOut } = old.details;
    const chainId = currencyIn.currency.chainId + 1;
    const input = { ...currencyIn, currency: { ...currencyIn.currency, chainId } };
    const output = { ...currencyOut, currency: { ...currencyOut.currency, address: NATIVE } };
    expect(refusal(() => isWorse({ ...old, details: { ...old.details, currencyIn: input } }, old, 0n)).field).to.equal(
      "newQuote.details.currencyIn.currency",
    );
    expect(
      refusal(() => isWorse({ ...old, details: { ...old.details, currencyOut: output } }, old, 0n)).field,
    ).to.equal("newQuote.details.currencyOut.currency");
  });
});

describe("minimumOutput", () => {
  const inNative = (minimum: string | undefined): Quote => {
    const { minimumAmount: _, ...amount } = whole.details.currencyOut;
    const currencyOut = {
      ...amount,
      amount: "990",
      currency: { ...amount.currency, address: NATIVE },
      ...(minimum === undefined ? {} : { minimumAmount: minimum }),
    };
    return { ...whole, details: { ...whole.details, currencyOut } };
  };

  it("returns the lower of the minimums in the details and the order", () => {
    expect([inNative("970"), inNative("979"), inNative("980"), inNative(undefined)].map(minimumOutput)).to.deep.equal([
      970n,
      979n,
      979n,
      979n,
    ]);
  });

  it("returns the minimum in the details if the order pays another currency or is missing", () => {
    expect(minimumOutput(quoteOf("1", "2000000"))).to.equal(2_000_000n);
    const { protocol: _, ...rest } = inNative("980");
    expect(minimumOutput(rest)).to.equal(980n);
  });

  it("reports an invalid amount", () => {
    expect(malformed(() => minimumOutput(quoteOf("1", "1.5"))).path).to.equal("details.currencyOut.minimumAmount");
    expect(malformed(() => isWorse(quoteOf("-1", "1"), quoteOf("1", "1"), 0n)).path).to.equal(
      "details.currencyIn.amount",
    );
  });
});
