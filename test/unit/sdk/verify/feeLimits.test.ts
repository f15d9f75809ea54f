import { expect } from "chai";

import { type Quote, QuoteSchema } from "../../../../packages/protocol/src/quote/quote.ts";
import { toQuoteV3 } from "../../../../packages/protocol/src/quote/toQuoteV3.ts";
import { readResponse } from "../../../../packages/protocol/src/schema/readResponse.ts";
import type { QuoteReport } from "../../../../packages/sdk/src/verify/quoteReport.ts";
import type { QuoteLimits } from "../../../../packages/sdk/src/verify/terms.ts";
import { verifyQuote } from "../../../../packages/sdk/src/verify/verifyQuote.ts";
import { factsOf, rejected } from "../../../support/rejection.ts";
import { base, quote as fixture } from "../../protocol/fixtures.ts";
import { payloads, quoteOf, requestOf, timeOf, unmetOf } from "./publishedQuotes.ts";

const quote = readResponse(QuoteSchema, fixture);

const REQUEST = {
  ...base,
  user: "0x03508bB71268BBA25ECaCC8F620e01866650532c",
  originCurrency: "0x0000000000000000000000000000000000000000",
  destinationCurrency: "0x0000000000000000000000000000000000000000",
  amount: "1",
} as const;

const NAMES = ["gas", "relayer", "relayerGas", "relayerService", "app", "subsidized"] as const;

describe("the fee limits of a quote", () => {
  const withFees = (amount: string | undefined): Quote => ({
    ...quote,
    fees: Object.fromEntries(NAMES.map((name) => [name, { amount }])),
  });
  const unmet = async (maximumFees: QuoteLimits["maximumFees"], amount: string | undefined = "1000") => {
    const limits = maximumFees === undefined ? {} : { maximumFees };
    const { claims } = await verifyQuote({ request: REQUEST, quote: withFees(amount), limits });
    return claims
      .filter(({ code, isMet }) => code === "FEE_LIMITS" && !isMet)
      .map(({ path, expected, seen }) => [path, expected, seen]);
  };

  for (const name of NAMES) {
    it(`are satisfied by ${name}`, async () => {
      expect(await unmet({ [name]: 1_000n })).to.deep.equal([]);
      expect(await unmet({ [name]: 999n })).to.deep.equal([[`fees.${name}.amount`, "at most 999", "1000"]]);
    });
  }

  it("are checked for each fee, except fees without a limit", async () => {
    expect(await unmet({ app: 0n, gas: 10_000n, relayer: 5n })).to.deep.equal([
      ["fees.app.amount", "at most 0", "1000"],
      ["fees.relayer.amount", "at most 5", "1000"],
    ]);
    expect(await unmet(undefined)).to.deep.equal([]);
  });

  it("are not satisfied if the quote does not contain the fee, or if its amount is invalid", async () => {
    for (const amount of ["-1", "0x1", "1.5", ""]) {
      expect(await unmet({ gas: 10n }, amount)).to.deep.equal([["fees.gas.amount", "at most 10", amount]]);
    }
    const { fees: _, ...unstated } = quote;
    const { claims } = await verifyQuote({ request: REQUEST, quote: unstated, limits: { maximumFees: { app: 0n } } });
    expect(claims.find(({ code }) => code === "FEE_LIMITS")).to.include({ isMet: false, seen: "nothing" });
  });

  it("must be amounts, keyed by fee names", async () => {
    for (const [limits, name, value] of [
      [{ relay: 1n }, "relay", "1"],
      [{ gas: 1 }, "gas", "1"],
      [{ gas: -1n }, "gas", "-1"],
      [{ gas: "1" }, "gas", '"1"'],
    ] as const) {
      const error = await rejected(
        verifyQuote({ request: REQUEST, quote: withFees("1"), limits: { maximumFees: limits as never } }),
      );
      const { code, field, value: seen } = factsOf(error);
      expect([code, field, seen]).to.deep.equal(["INVALID_INPUT", `limits.maximumFees.${name}`, value]);
    }
  });

  it("must be amounts, as must all other limits of amounts", async () => {
    for (const name of ["maximumInput", "minimumOutput", "maximumGasPrice", "maximumGasCost"]) {
      for (const value of ["1 USDC", "1", 1, Number.NaN, -1n, null]) {
        const limits = { [name]: value } as never;
        const error = await rejected(verifyQuote({ request: REQUEST, quote: withFees("1"), limits }));
        expect(factsOf(error)).to.include({ code: "INVALID_INPUT", field: `limits.${name}` });
      }
    }
  });
});

const QUOTES = payloads.filter(
  ({ payload }) =>
    typeof payload === "object" &&
    payload !== null &&
    "steps" in payload &&
    "protocol" in payload &&
    "details" in payload,
);

/** Returns the verdict and unmet claims, or the code of the error. */
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
    it(`returns the same result for v3 as for v2: ${page}:${line}`, async () => {
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
