import { expect } from "chai";

import { createServiceClient } from "../../../src/client/client.ts";
import { getQuote, type GetQuoteParameters } from "../../../src/client/getQuote.ts";
import { factsOf, rejected } from "../core/refusal.ts";
import { NATIVE, quote, USER } from "../protocol/fixtures.ts";
import { useService } from "./service.ts";

const REQUEST: GetQuoteParameters = {
  user: USER,
  originChainId: 8453,
  destinationChainId: 10,
  originCurrency: NATIVE,
  destinationCurrency: NATIVE,
  tradeType: "EXACT_OUTPUT",
  amount: "1",
  txs: [{ to: USER, data: "0x", value: "1" }],
};

describe("getQuote", () => {
  const service = useService();

  it("posts the request as it is, without the signal, and gives the quote", async () => {
    service.answers = () => ({ json: quote });
    const { signal } = new AbortController();
    const client = createServiceClient({ baseUrl: service.url });
    expect(await getQuote(client, { ...REQUEST, signal })).to.deep.equal(quote);
    expect(service.calls.map(({ method, url, body }) => [method, url, body])).to.deep.equal([
      ["POST", "/quote/v2", REQUEST],
    ]);
  });

  const refused: Record<string, [Partial<GetQuoteParameters>, string, string]> = {
    "a user that is no address": [{ user: "nobody" }, "user", '"nobody"'],
    "an amount that does not equal the sum of the values": [{ amount: "2" }, "amount", '"2"'],
    "a call to no address": [{ txs: [{ to: "0x12", data: "0x", value: "1" }] }, "txs[0].to", '"0x12"'],
    "a slippage above the whole": [{ slippageTolerance: "10001" }, "slippageTolerance", '"10001"'],
  };
  for (const [name, [changes, field, value]] of Object.entries(refused)) {
    it(`refuses ${name} before anything is sent`, async () => {
      const client = createServiceClient({ baseUrl: service.url });
      const error = await rejected(getQuote(client, { ...REQUEST, ...changes }));
      expect(factsOf(error)).to.deep.equal({ code: "INVALID_INPUT", field, value });
      expect(service.calls).to.deep.equal([]);
    });
  }

  it("tells why the service refuses", async () => {
    service.answers = () => ({ status: 400, json: { message: "no", errorCode: "AMOUNT_TOO_LOW" } });
    const error = await rejected(getQuote(createServiceClient({ baseUrl: service.url }), REQUEST));
    expect(factsOf(error)).to.deep.equal({
      code: "SERVICE_ERROR",
      status: 400,
      errorCode: "AMOUNT_TOO_LOW",
      errorData: undefined,
      endpoint: "POST /quote/v2",
      tries: 1,
    });
  });

  it("refuses a quote of another shape, with the path", async () => {
    service.answers = () => ({ json: { ...quote, steps: [{ ...quote.steps[0], items: null }] } });
    const error = await rejected(getQuote(createServiceClient({ baseUrl: service.url }), REQUEST));
    expect(factsOf(error)).to.deep.equal({
      code: "MALFORMED_DATA",
      what: "the answer of POST /quote/v2",
      path: "steps[0].items",
      endpoint: "POST /quote/v2",
      tries: 1,
    });
  });

  it("stops when the signal fires", async () => {
    const client = createServiceClient({ baseUrl: service.url });
    const error = await rejected(getQuote(client, { ...REQUEST, signal: AbortSignal.abort() }));
    expect([error.code, service.calls]).to.deep.equal(["ABORTED", []]);
  });
});
