import { expect } from "chai";

import { parseExchangeTransfer } from "../../../../packages/protocol/src/quote/exchangeTransfer.ts";
import { planSteps, requestIdOf } from "../../../../packages/protocol/src/quote/planSteps.ts";
import { QuoteSchema } from "../../../../packages/protocol/src/quote/quote.ts";
import { QuoteV3Schema, readAnyQuote, toQuote } from "../../../../packages/protocol/src/quote/quoteV3.ts";
import { toQuoteV3 } from "../../../../packages/protocol/src/quote/toQuoteV3.ts";
import { readResponse } from "../../../../packages/protocol/src/schema/readResponse.ts";
import { malformed } from "../everyField.ts";
import { amount, groupAmount, quote as quoteFixture, quoteV3, requestRecord, USER } from "../fixtures.ts";

const quote = readResponse(QuoteSchema, quoteFixture);
const { fees: _fees, ...plain } = quote;
const [flat] = quoteV3.steps;

describe("toQuote", () => {
  it("returns a v2 quote unchanged", () => {
    expect(toQuote(quote)).to.equal(quote);
    expect(readAnyQuote(quote)).to.equal(quote);
  });

  it("converts v3 to the v2 model, with the sender and the id in each step", () => {
    expect(readAnyQuote(quoteV3)).to.deep.equal(plain);
    expect(requestIdOf(readAnyQuote(quoteV3))).to.equal(quoteV3.requestId);
    expect(planSteps(readAnyQuote(quoteV3).steps, 8453)).to.deep.equal(planSteps(quote.steps, 8453));
  });

  it("keeps additional fields of v3 and of the caller", () => {
    const step = { ...flat, depositAddressId: "a", later: [1] };
    const given = { ...quoteV3, steps: [step], later: { a: 1 }, quotedAtMs: 1, quotedRequest: { user: USER } };
    const read = toQuote(readResponse(QuoteV3Schema, given));
    expect(read).to.deep.include({ later: { a: 1 }, quotedAtMs: 1, quotedRequest: { user: USER } });
    expect(read.steps?.[0]).to.deep.include({ depositAddressId: "a", later: [1] });
  });

  it("uses the fee components if the details have none", () => {
    const { expandedPriceImpact: _, ...details } = quoteV3.details;
    const { quoted } = quoteV3.fees;
    expect(readAnyQuote({ ...quoteV3, details }).details?.expandedPriceImpact).to.deep.equal({
      swap: { usd: quoted.swap.usd },
      execution: { usd: quoted.execution.usd },
      relay: { usd: quoted.platform.usd },
      app: { usd: quoted.app.usd },
      sponsored: { usd: quoted.sponsored.usd },
    });
  });

  it("reads the deposit address of a step", () => {
    const { steps } = readAnyQuote({ ...quoteV3, steps: [{ ...flat, depositAddress: requestRecord.depositAddress }] });
    expect(steps?.[0]?.depositAddress).to.equal(requestRecord.depositAddress.address);
  });

  it("adds a currency to each sponsored amount", () => {
    const { quoted, currency } = requestRecord.data.feeSponsorship;
    const { feeSponsorship } = readAnyQuote({ ...quoteV3, feeSponsorship: { quoted, currency } });
    const part = { selected: true, total: amount, sponsored: amount, userPays: amount };
    expect(feeSponsorship).to.deep.equal({
      quoted: {
        selectedComponents: ["execution", "swap", "relay", "app"],
        maxSubsidizationAmount: "1000000",
        capHit: false,
        components: { execution: part, swap: part, relay: part, app: part },
        sponsoredTotal: { currency, ...groupAmount },
        userPaysTotal: { currency, ...groupAmount },
      },
    });
  });

  it("reads a step in one format, and ignores fields from the other", () => {
    const hostile = { ...flat, items: [{ status: "incomplete", data: { to: USER } }] };
    expect(readAnyQuote({ ...quoteV3, steps: [hostile] }).steps).to.deep.equal(plain.steps);
  });

  it("lists fields that it cannot read, and throws if one of them is required", () => {
    const read = readAnyQuote({ ...quoteV3, steps: [{ ...flat, kind: 5 }] });
    expect(read.unreadable?.fields).to.deep.equal([{ path: "steps[0].kind", reason: "it must be string" }]);
    expect(() => planSteps(read.steps, 8453))
      .to.throw()
      .with.property("code", "MALFORMED_DATA");
    for (const steps of [null, [null], [{}], "steps", [{ ...flat, data: null }]]) {
      expect(() => planSteps(readAnyQuote({ ...quoteV3, steps }).steps, 8453), JSON.stringify(steps))
        .to.throw()
        .with.property("code", "MALFORMED_DATA");
    }
  });
});

const [step] = quoteFixture.steps;

describe("toQuoteV3", () => {
  it("writes one step per item, the id once, and the fees by component", () => {
    const { swap, execution, relay, app, sponsored } = quoteFixture.details.expandedPriceImpact;
    const migrated = toQuoteV3(quote);
    expect(migrated.quote).to.deep.equal({
      ...quoteV3,
      fees: {
        quoted: { swap, execution, platform: relay, app, sponsored },
        currency: quoteFixture.details.currencyIn.currency,
      },
    });
    const names = ["swap", "execution", "platform", "app", "sponsored"];
    expect(migrated.missing).to.deep.equal(
      names.flatMap((name) => [`fees.quoted.${name}.amount`, `fees.quoted.${name}.amountFormatted`]),
    );
    expect(migrated.assumed.map(({ path }) => path)).to.deep.equal(["fees.currency"]);
    expect([migrated.unknown, migrated.lost.length > 6]).to.deep.equal([[], true]);
    expect(new Set(migrated.lost.map(({ path }) => path.split(".")[0]))).to.deep.equal(new Set(["fees"]));
  });

  it("can be reversed, except for the v2 fees", () => {
    expect(readAnyQuote(toQuoteV3(quote).quote)).to.deep.equal(plain);
  });

  it("splits items, and lists a sender that the details do not contain", () => {
    const { data } = step!.items[0]!;
    const items = [step!.items[0]!, { status: "incomplete", data: { ...data, from: "0x01" } }];
    const { quote: v3, lost } = toQuoteV3(readResponse(QuoteSchema, { ...quoteFixture, steps: [{ ...step!, items }] }));
    const { from: _, ...call } = data;
    expect(v3.steps?.map((one) => one.data)).to.deep.equal([call, call]);
    expect(lost).to.deep.include({
      path: "steps[0].items[1].data.from",
      value: "0x01",
      reason: "v3 has the sender in details",
    });
  });

  it("posts permits to their endpoint's successor", () => {
    const post = {
      endpoint: "/execute/permits",
      method: "POST",
      body: { kind: "eip3009", requestId: "a", api: "swap" },
    };
    const items = [{ status: "incomplete", data: { sign: { signatureKind: "eip712" }, post } }];
    const signature = { ...step!, kind: "signature", items };
    const { quote: v3, lost } = toQuoteV3(readResponse(QuoteSchema, { ...quoteFixture, steps: [signature] }));
    expect(v3.steps?.[0]?.data?.post).to.deep.equal({
      endpoint: "/execute/permits/v2",
      method: "POST",
      body: { kind: "eip3009", requestId: "a" },
    });
    expect(lost.map(({ path }) => path)).to.include("steps[0].items[0].data.post.body.api");
  });

  it("writes a sponsorship's currency once", () => {
    const part = { selected: true, total: amount, sponsored: amount, userPays: amount };
    const quoted = { selectedComponents: ["relay"], components: { relay: part, swap: part }, sponsoredTotal: amount };
    const { currency, ...rest } = amount;
    const { quote: v3 } = toQuoteV3(readResponse(QuoteSchema, { ...quoteFixture, feeSponsorship: { quoted } }));
    const own = { selected: true, total: rest, sponsored: rest, userPays: rest };
    expect(v3.feeSponsorship?.currency).to.deep.equal(currency);
    expect(v3.feeSponsorship?.quoted?.components).to.deep.equal({ platform: own, swap: own });
    expect(v3.feeSponsorship?.quoted?.selectedComponents).to.deep.equal(["platform"]);
  });

  it("keeps unknown fields, and does not change the quote", () => {
    const given = { ...quote, later: { a: 1 }, details: { ...quote.details, sender: USER, later: 2 } };
    const before = structuredClone(given);
    const { quote: v3 } = toQuoteV3(given);
    expect(v3).to.deep.include({ later: { a: 1 } });
    expect(v3.details).to.deep.include({ later: 2 });
    expect(given).to.deep.equal(before);
  });
});

const REQUEST_ID = `0x${"aB".repeat(32)}`;
const path = "steps[0].items[0].data";
const parameters = {
  toAccountIndex: 281_474,
  assetIndex: 3,
  fromRouteType: 0,
  toRouteType: 1,
  amount: Number.MAX_SAFE_INTEGER,
  usdcFee: 3_000_000,
  memo: REQUEST_ID,
};
const dataWith = (changes: object): unknown => ({
  action: { type: "transfer", parameters: { ...parameters, ...changes } },
});
const parse = (data: unknown) => parseExchangeTransfer({ data, requestId: REQUEST_ID, path });

describe("parseExchangeTransfer", () => {
  it("parses the numbers in a response as amounts", () => {
    expect(parse(dataWith({}))).to.deep.equal({
      toAccountIndex: 281_474n,
      assetIndex: 3n,
      fromRouteType: 0,
      toRouteType: 1,
      amount: 9_007_199_254_740_991n,
      usdcFee: 3_000_000n,
      memo: REQUEST_ID,
    });
  });

  it("accepts the memo in any letter case, with and without 0x", () => {
    for (const memo of [REQUEST_ID.toLowerCase(), REQUEST_ID.slice(2)]) {
      expect(parse(dataWith({ memo })).memo).to.equal(memo);
    }
  });

  it("accepts the orderId as the memo", () => {
    const memo = `0x${"cd".repeat(32)}`;
    const parameters = { data: dataWith({ memo }), requestId: REQUEST_ID, path };
    expect(parseExchangeTransfer({ ...parameters, orderId: memo.toUpperCase().replace("0X", "0x") }).memo).to.equal(
      memo,
    );
    expect(malformed(() => parseExchangeTransfer({ ...parameters, orderId: `0x${"ce".repeat(32)}` })).path).to.equal(
      `${path}.action.parameters.memo`,
    );
  });

  const refused: Record<string, [unknown, string]> = {
    "a memo for another request": [dataWith({ memo: `0x${"ab".repeat(31)}ac` }), ".action.parameters.memo"],
    "an empty memo": [dataWith({ memo: "" }), ".action.parameters.memo"],
    "an amount above the largest safe number": [
      JSON.parse(JSON.stringify(dataWith({})).replace("9007199254740991", "9007199254740993")),
      ".action.parameters.amount",
    ],
    "a negative amount": [dataWith({ amount: -1 }), ".action.parameters.amount"],
    "an amount with a fraction": [dataWith({ amount: 0.5 }), ".action.parameters.amount"],
    "an amount as text": [dataWith({ amount: "1" }), ".action.parameters.amount"],
    "a fee above the largest safe number": [dataWith({ usdcFee: 2 ** 53 }), ".action.parameters.usdcFee"],
    "another action": [{ action: { type: "withdraw", parameters } }, ".action.type"],
    "no data": [undefined, ""],
  };
  for (const [name, [data, at]] of Object.entries(refused)) {
    it(`rejects ${name}`, () => {
      const error = malformed(() => parse(data));
      expect([error.what, error.path]).to.deep.equal(["the quote", `${path}${at}`]);
    });
  }
});
