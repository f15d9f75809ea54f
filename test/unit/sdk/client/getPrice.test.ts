import { expect } from "chai";

import { createServiceClient } from "../../../../packages/sdk/src/client/client.ts";
import { getPrice, type GetPriceParameters } from "../../../../packages/sdk/src/client/getPrice.ts";
import type { QuoteRequest } from "../../../../packages/protocol/src/index.ts";
import { QuoteV3Schema, toQuote } from "../../../../packages/protocol/src/quote/quoteV3.ts";
import { readResponse } from "../../../../packages/protocol/src/schema/readResponse.ts";
import { factsOf, rejected } from "../../../support/rejection.ts";
import { base, quote, quoteV3, USER } from "../../protocol/fixtures.ts";
import { useService } from "./service.ts";

const REQUEST: GetPriceParameters = { ...base, amount: "1" };

describe("getPrice", () => {
  const service = useService();
  const client = () => createServiceClient({ baseUrl: service.url });

  it("posts the request unchanged, and returns the price", async () => {
    const { fees, details } = quote;
    service.answers = () => ({ json: { fees, details } });
    const { signal } = new AbortController();
    expect(await getPrice(client(), { ...REQUEST, signal })).to.deep.equal({ fees, details });
    expect(service.calls.map(({ method, url, body }) => [method, url, body])).to.deep.equal([
      ["POST", "/price", REQUEST],
    ]);
  });

  const refused: Record<string, [Partial<QuoteRequest>, string, string | undefined]> = {
    "an address of another chain family": [{ user: "invalid" }, "user", '"invalid"'],
    "a negative amount": [{ amount: "-1" }, "amount", '"-1"'],
    "a slippage above 100%": [{ slippageTolerance: "10001" }, "slippageTolerance", '"10001"'],
    "a field that only quotes have": [{ subsidizeFees: true }, "subsidizeFees", "true"],
  };
  for (const [name, [changes, field, value]] of Object.entries(refused)) {
    it(`rejects ${name} before a request is sent`, async () => {
      const request: QuoteRequest = { ...REQUEST, ...changes };
      expect(factsOf(await rejected(getPrice(client(), request)))).to.deep.equal({
        code: "INVALID_INPUT",
        field,
        value,
      });
      expect(service.calls).to.deep.equal([]);
    });
  }

  it("requests the chains if the family of a chain is not documented", async () => {
    service.answers = () => ({ json: { chains: [{ id: 4_242_424_242, vmType: "evm" }] } });
    const elsewhere = { ...REQUEST, originChainId: 4_242_424_242, user: "EQ-any_form", recipient: USER };
    expect(factsOf(await rejected(getPrice(client(), elsewhere)))).to.include({ code: "INVALID_INPUT", field: "user" });
    expect(service.calls.map(({ url }) => url)).to.deep.equal(["/chains"]);
  });

  it("reports the service's reason for a rejection", async () => {
    service.answers = () => ({ status: 400, json: { message: "no", errorCode: "NO_SWAP_ROUTES_FOUND" } });
    const error = await rejected(getPrice(client(), REQUEST));
    expect(factsOf(error)).to.include({ code: "SERVICE_ERROR", status: 400, errorCode: "NO_SWAP_ROUTES_FOUND" });
  });

  it("returns the price from a quote, with credentials, after the endpoint has ended", async () => {
    const v3 = readResponse(QuoteV3Schema, quoteV3);
    service.answers = ({ url }) =>
      url === "/price" ? { status: 410, json: { successor: "/quote/v3" } } : { json: quoteV3 };
    const withKey = (quoteVersion?: 2 | 3) =>
      createServiceClient({
        baseUrl: service.url,
        apiKey: "key",
        ...(quoteVersion === undefined ? {} : { quoteVersion }),
      });
    const { details } = toQuote(v3);
    expect(await getPrice(withKey(), REQUEST)).to.deep.equal({ details });
    expect(await getPrice(withKey(3), REQUEST)).to.deep.equal({ details });
    expect(service.calls.map(({ url }) => url)).to.deep.equal(["/price", "/quote/v3", "/quote/v3"]);
    for (const older of [client(), withKey(2)]) {
      const error = await rejected(getPrice(older, REQUEST));
      expect(factsOf(error)).to.include({ code: "SERVICE_ERROR", status: 410 });
    }
  });

  it("returns the parts of a price that can be read, and lists the others", async () => {
    service.answers = () => ({ json: { fees: 5, details: { rate: "2" } } });
    expect(await getPrice(client(), REQUEST)).to.deep.equal({
      details: { rate: "2" },
      unreadable: {
        raw: { fees: 5, details: { rate: "2" } },
        fields: [{ path: "fees", reason: "it must be object" }],
      },
    });
  });

  it("stops if the signal aborts", async () => {
    const error = await rejected(getPrice(client(), { ...REQUEST, signal: AbortSignal.abort() }));
    expect([error.code, service.calls]).to.deep.equal(["ABORTED", []]);
  });
});
