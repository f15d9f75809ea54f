import { expect } from "chai";

import { planSteps, requestIdOf } from "../../../../packages/protocol/src/quote/planSteps.ts";
import { QuoteSchema } from "../../../../packages/protocol/src/quote/quote.ts";
import { QuoteV3Schema, readAnyQuote, toQuote } from "../../../../packages/protocol/src/quote/quoteV3.ts";
import { readResponse } from "../../../../packages/protocol/src/schema/readResponse.ts";
import { amount, groupAmount, quote as quoteFixture, requestRecord, USER } from "../fixtures.ts";
import { depositAddress, quoteV3 } from "../quoteV3.ts";

const quote = readResponse(QuoteSchema, quoteFixture);
const { fees: _fees, ...plain } = quote;
const [flat] = quoteV3.steps;

describe("toQuote", () => {
  it("returns a quote of v2 as it is", () => {
    expect(toQuote(quote)).to.equal(quote);
    expect(readAnyQuote(quote)).to.equal(quote);
  });

  it("reads v3 into the model of v2, with the sender and the id in each step", () => {
    expect(readAnyQuote(quoteV3)).to.deep.equal(plain);
    expect(requestIdOf(readAnyQuote(quoteV3))).to.equal(quoteV3.requestId);
    expect(planSteps(readAnyQuote(quoteV3).steps, 8453)).to.deep.equal(planSteps(quote.steps, 8453));
  });

  it("keeps what v3 adds, and what the caller added", () => {
    const step = { ...flat, depositAddressId: "a", later: [1] };
    const given = { ...quoteV3, steps: [step], later: { a: 1 }, quotedAtMs: 1, quotedRequest: { user: USER } };
    const read = toQuote(readResponse(QuoteV3Schema, given));
    expect(read).to.deep.include({ later: { a: 1 }, quotedAtMs: 1, quotedRequest: { user: USER } });
    expect(read.steps?.[0]).to.deep.include({ depositAddressId: "a", later: [1] });
  });

  it("takes the components of the fees where details have none", () => {
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

  it("reads the address of a deposit", () => {
    const { steps } = readAnyQuote({ ...quoteV3, steps: [{ ...flat, depositAddress }] });
    expect(steps?.[0]?.depositAddress).to.equal(depositAddress.address);
  });

  it("gives each amount of a sponsorship its currency", () => {
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

  it("reads one form of a step, whatever else the step has", () => {
    const hostile = { ...flat, items: [{ status: "incomplete", data: { to: USER } }] };
    expect(readAnyQuote({ ...quoteV3, steps: [hostile] }).steps).to.deep.equal(plain.steps);
  });

  it("lists what it cannot read, and rejects it where it is needed", () => {
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
