import { expect } from "chai";

import { toQuoteV3 } from "../../../../packages/protocol/src/quote/toQuoteV3.ts";
import type { QuoteReport } from "../../../../packages/sdk/src/verify/quoteReport.ts";
import { verifyQuote } from "../../../../packages/sdk/src/verify/verifyQuote.ts";
import { payloads, quoteOf, requestOf, timeOf, unmetOf } from "./publishedQuotes.ts";

const QUOTES = payloads.filter(
  ({ payload }) =>
    typeof payload === "object" &&
    payload !== null &&
    "steps" in payload &&
    "protocol" in payload &&
    "details" in payload,
);

/** Verdict and unmet claims, or the code of the error. */
async function resultOf(verify: () => Promise<QuoteReport>): Promise<unknown> {
  try {
    const report = await verify();
    return { verdict: report.verdict, unmet: [...unmetOf(report)].toSorted() };
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  }
}

describe("verifyQuote", () => {
  it("has published quotes to compare", () => {
    expect(QUOTES.length).to.be.greaterThan(2);
  });

  for (const { page, line } of QUOTES) {
    it(`finds in the form of v3 what it finds in v2: ${page}:${line}`, async () => {
      const quote = quoteOf(page, line);
      const request = requestOf(quote, {});
      const clock = timeOf(quote);
      const { quote: v3 } = toQuoteV3(quote);
      expect(await resultOf(() => verifyQuote({ request, quote: v3, clock }))).to.deep.equal(
        await resultOf(() => verifyQuote({ request, quote, clock })),
      );
    });
  }
});
