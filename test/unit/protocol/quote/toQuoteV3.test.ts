import { expect } from "chai";

import { readAnyQuote } from "../../../../packages/protocol/src/quote/quoteV3.ts";
import { QuoteSchema } from "../../../../packages/protocol/src/quote/quote.ts";
import { toQuoteV3 } from "../../../../packages/protocol/src/quote/toQuoteV3.ts";
import { readResponse } from "../../../../packages/protocol/src/schema/readResponse.ts";
import { amount, quote as fixture, USER } from "../fixtures.ts";
import { quoteV3 } from "../quoteV3.ts";

const quote = readResponse(QuoteSchema, fixture);
const [step] = fixture.steps;
const { fees: _, ...plain } = quote;

describe("toQuoteV3", () => {
  it("states a step for each item, the id once, and the fees by component", () => {
    const { swap, execution, relay, app, sponsored } = fixture.details.expandedPriceImpact;
    const migrated = toQuoteV3(quote);
    expect(migrated.quote).to.deep.equal({
      ...quoteV3,
      fees: {
        quoted: { swap, execution, platform: relay, app, sponsored },
        currency: fixture.details.currencyIn.currency,
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

  it("is undone by reading, except for the fees of v2", () => {
    expect(readAnyQuote(toQuoteV3(quote).quote)).to.deep.equal(plain);
  });

  it("splits items, and lists a sender that details do not state", () => {
    const { data } = step!.items[0]!;
    const items = [step!.items[0]!, { status: "incomplete", data: { ...data, from: "0x01" } }];
    const { quote: v3, lost } = toQuoteV3(readResponse(QuoteSchema, { ...fixture, steps: [{ ...step!, items }] }));
    const { from: _, ...call } = data;
    expect(v3.steps?.map((one) => one.data)).to.deep.equal([call, call]);
    expect(lost).to.deep.include({
      path: "steps[0].items[1].data.from",
      value: "0x01",
      reason: "v3 has the sender in details",
    });
  });

  it("posts permits to their successor", () => {
    const post = {
      endpoint: "/execute/permits",
      method: "POST",
      body: { kind: "eip3009", requestId: "a", api: "swap" },
    };
    const items = [{ status: "incomplete", data: { sign: { signatureKind: "eip712" }, post } }];
    const signature = { ...step!, kind: "signature", items };
    const { quote: v3, lost } = toQuoteV3(readResponse(QuoteSchema, { ...fixture, steps: [signature] }));
    expect(v3.steps?.[0]?.data?.post).to.deep.equal({
      endpoint: "/execute/permits/v2",
      method: "POST",
      body: { kind: "eip3009", requestId: "a" },
    });
    expect(lost.map(({ path }) => path)).to.include("steps[0].items[0].data.post.body.api");
  });

  it("states the currency of a sponsorship once", () => {
    const part = { selected: true, total: amount, sponsored: amount, userPays: amount };
    const quoted = { selectedComponents: ["relay"], components: { relay: part, swap: part }, sponsoredTotal: amount };
    const { currency, ...rest } = amount;
    const { quote: v3 } = toQuoteV3(readResponse(QuoteSchema, { ...fixture, feeSponsorship: { quoted } }));
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
