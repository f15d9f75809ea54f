import { expect } from "chai";

import { PUBLIC_CONTRACTS } from "../../../../packages/protocol/src/generations/routers.ts";
import type { Quote } from "../../../../packages/protocol/src/quote/quote.ts";
import type { QuoteRequest } from "../../../../packages/protocol/src/quote/quoteRequest.ts";
import { formatQuoteReport, quoteReportToSarif } from "../../../../packages/sdk/src/verify/formatQuoteReport.ts";
import type { QuoteLimits } from "../../../../packages/sdk/src/verify/terms.ts";
import { verifyQuote } from "../../../../packages/sdk/src/verify/verifyQuote.ts";
import { rehashOrder } from "../../../support/rehashOrder.ts";
import { base } from "../../protocol/fixtures.ts";
import { quoteOf, requestOf, timeOf } from "./publishedQuotes.ts";

const quote = rehashOrder(quoteOf("features/gasless-execution.mdx", 41));
const request = requestOf(quote, {});
const USDC = { chainId: 8_453, address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", symbol: "USDC", decimals: 6 };

/** Sets a field of the quote by its path. */
function change<Value>(value: Value, path: string, to: unknown): Value {
  const [key = "", ...rest] = path.split(".");
  const record = value as Readonly<Record<string, unknown>>;
  return { ...record, [key]: rest.length === 0 ? to : change(record[key], rest.join("."), to) } as Value;
}

const verify = (changed: Quote, limits: QuoteLimits = {}) =>
  verifyQuote({ request, quote: changed, limits, clock: timeOf(quote) });

async function shown(changed: Quote, limits?: QuoteLimits) {
  const { verdict, claims, warnings } = await verify(changed, limits);
  const at = (list: typeof claims): readonly string[] =>
    list.filter(({ code, isMet }) => code === "AMOUNT_SHOWN" && !isMet).map(({ path }) => path);
  return { verdict, unmet: at(claims), warnings: at(warnings) };
}

describe("a displayed amount of a quote", () => {
  const TEXTS: readonly (readonly [what: string, path: string, to: unknown, unmet: string])[] = [
    ["another text for the input", "details.currencyIn.amountFormatted", "0.00001", "amountFormatted"],
    ["a text that is not a number", "details.currencyIn.amountFormatted", "some", "amountFormatted"],
    [
      "a text with more decimals than the currency has",
      "fees.gas.amountFormatted",
      `0.${"0".repeat(19)}1`,
      "amountFormatted",
    ],
    ["a hundredfold output with the old text", "details.currencyOut.amount", "9078787164394400", "amountFormatted"],
    ["another refund", "details.refundCurrency.amountFormatted", "1", "amountFormatted"],
    ["another fee", "fees.relayer.amountFormatted", "0", "amountFormatted"],
    ["another amount in the route", "details.route.destination.outputCurrency.amountFormatted", "1", "amountFormatted"],
    ["a text without decimals", "details.currencyOut.currency", { chainId: 424_242, address: "x" }, "amountFormatted"],
    ["other decimals of native currency", "details.currencyOut.currency.decimals", 17, "currency.decimals"],
    ["another symbol of native currency", "details.currencyOut.currency.symbol", "USDC", "currency.symbol"],
    ["other decimals of USDC", "details.refundCurrency.currency", { ...USDC, decimals: 18 }, "currency.decimals"],
    ["another symbol of USDC", "details.refundCurrency.currency", { ...USDC, symbol: "ETH" }, "currency.symbol"],
  ];
  for (const [what, path, to, unmet] of TEXTS) {
    it(`is refused for ${what}`, async () => {
      const { verdict, unmet: seen } = await shown(change(quote, path, to));
      const object = path.replace(/\.(amount|amountFormatted|currency(\..*)?)$/u, "");
      expect([verdict, seen.includes(`${object}.${unmet}`)]).to.deep.equal(["refused", true]);
    });
  }

  it("has no decimals if they are not a whole number", async () => {
    for (const decimals of ["-1", "1.5"]) {
      const { verdict } = await shown(change(quote, "fees.relayer.currency.decimals", decimals));
      expect(verdict, decimals).to.equal("bound");
    }
  });

  it("can have the same number with different zeros", async () => {
    for (const text of ["0.0001", "0.00010", "0.000100000000000000000", "00.0001"]) {
      const { unmet, warnings } = await shown(change(quote, "details.currencyIn.amountFormatted", text));
      expect([unmet, warnings], text).to.deep.equal([[], []]);
    }
  });

  it("is rejected if one unit has the value of the input and a limit depends on the value", async () => {
    const { details } = quote;
    const one = { ...details?.currencyOut, amount: "1", amountFormatted: "0.000000000000000001", minimumAmount: "1" };
    const hostile = { ...quote, details: { ...details, currencyOut: { ...one, amountUsd: "0.31" } } };
    const path = "details.currencyOut.amountUsd";
    expect((await shown(hostile)).warnings).to.include(path);
    expect((await shown(hostile, { maximumImpactBps: 500 })).unmet).to.include(path);
  });

  it("is rejected if the input's value is too low and a limit depends on the value", async () => {
    const { details } = quote;
    const currencyIn = { ...details?.currencyIn, amountUsd: "0.0001" };
    const currencyOut = { ...details?.currencyOut, amountUsd: "0.0001" };
    const hostile = { ...quote, details: { ...details, currencyIn, currencyOut } };
    const { unmet } = await shown(hostile, { maximumImpactBps: 0 });
    expect(unmet).to.include("details.refundCurrency.amountUsd");
  });

  it("is rejected without a reference value if a limit depends on the value", async () => {
    for (const name of ["symbol", "decimals"]) {
      const { unmet } = await shown(change(quote, `details.currencyOut.currency.${name}`, undefined), {
        maximumImpactBps: 10_000,
      });
      expect(unmet).to.deep.equal(["details.currencyOut.currency"]);
    }
  });

  it("is rejected for a dollar token that is not worth a dollar if a limit depends on the value", async () => {
    const dollars = (amountUsd: string) => {
      const refund = { currency: USDC, amount: "25000000", amountFormatted: "25", amountUsd };
      return change(quote, "details.refundCurrency", refund);
    };
    const limits = { maximumImpactBps: 10_000 };
    expect((await shown(dollars("24.9"), limits)).unmet).to.deep.equal([]);
    for (const amountUsd of ["2.49", "249", "0"]) {
      expect((await shown(dollars(amountUsd), limits)).unmet).to.deep.equal(["details.refundCurrency.amountUsd"]);
    }
  });

  it("does not change the verdict if only its value differs, but causes a warning", async () => {
    const changed = change(quote, "details.refundCurrency.amountUsd", "31");
    const report = await verify(changed);
    expect([report.verdict, report.warnings.map(({ code, path }) => [code, path])]).to.deep.equal([
      "bound",
      [["AMOUNT_SHOWN", "details.refundCurrency.amountUsd"]],
    ]);
    expect(formatQuoteReport(report).split("\n")).to.include("warning AMOUNT_SHOWN details.refundCurrency.amountUsd");
    const { runs } = quoteReportToSarif(report) as {
      readonly runs: readonly { readonly results: readonly { readonly ruleId: string; readonly level: string }[] }[];
    };
    expect(runs[0]?.results.map(({ ruleId, level }) => [ruleId, level])).to.deep.equal([["AMOUNT_SHOWN", "warning"]]);
  });
});

describe("a request's accounts", () => {
  for (const account of PUBLIC_CONTRACTS.keys()) {
    it(`are rejected if they are the public account ${account}`, async () => {
      const { verdict, claims } = await verifyQuote({
        request: { ...request, recipient: account, refundTo: account },
        quote,
        clock: timeOf(quote),
      });
      const unmet = claims.filter(({ isMet, path }) => !isMet && path.startsWith("request."));
      expect([verdict, unmet.map(({ code, path }) => [code, path])]).to.deep.equal([
        "refused",
        [
          ["RECIPIENT", "request.recipient"],
          ["ORDER_REFUND", "request.refundTo"],
        ],
      ]);
    });
  }
});

const EXCHANGE = 3_586_256;
const REQUEST_ID = `0x${"ab".repeat(32)}`;
const USER = "0x03508bB71268BBA25ECaCC8F620e01866650532c";

/** Returns the paths of a withdrawal's unmet claims. */
async function unmetOf(originCurrency: string, change: object): Promise<readonly string[]> {
  const request: QuoteRequest = {
    ...base,
    user: "509564",
    recipient: USER,
    originChainId: EXCHANGE,
    destinationChainId: 8_453,
    originCurrency,
    destinationCurrency: "0x0000000000000000000000000000000000000000",
    amount: "25000000",
  };
  const parameters = {
    toAccountIndex: 731_033,
    assetIndex: 3,
    fromRouteType: 0,
    toRouteType: 0,
    amount: 25_000_000,
    usdcFee: 3_000_000,
    memo: REQUEST_ID,
    ...change,
  };
  const quote: Quote = {
    steps: [
      {
        id: "deposit",
        action: "",
        description: "",
        kind: "transaction",
        requestId: REQUEST_ID,
        items: [{ status: "incomplete", data: { action: { type: "transfer", parameters } } }],
      },
    ],
  };
  const { claims } = await verifyQuote({ request, quote });
  return claims
    .filter(({ code, isMet }) => code === "EXCHANGE_TRANSFER" && !isMet)
    .map(({ path }) => path.replace("steps[0].items[0].data.action.parameters.", ""));
}

describe("verified transfers on the exchange chain", () => {
  it("use the asset of their currency, such as asset 3 for the dollar of perpetuals", async () => {
    expect(await unmetOf("0", {})).to.deep.equal([]);
    expect(await unmetOf("3", {})).to.deep.equal([]);
    expect(await unmetOf("7", { assetIndex: 7 })).to.deep.equal([]);
    for (const [currency, assetIndex] of [
      ["0", 0],
      ["0", 7],
      ["3", 0],
      ["7", 3],
    ] as const) {
      expect(await unmetOf(currency, { assetIndex }), `${currency} ${assetIndex}`).to.deep.equal(["assetIndex"]);
    }
  });

  it("are rejected with another memo, account or amount", async () => {
    expect(await unmetOf("3", { memo: `0x${"cd".repeat(32)}` })).to.deep.equal(["memo"]);
    expect(await unmetOf("3", { toAccountIndex: 1 })).to.deep.equal(["toAccountIndex"]);
    expect(await unmetOf("3", { amount: 25_000_001 })).to.deep.equal(["amount"]);
  });
});
