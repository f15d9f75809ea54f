import { expect } from "chai";

import { createServiceClient, getQuote, type GetQuoteParameters } from "../../../packages/sdk/src/index.ts";
import "../../../packages/crosscall/src/testing/register.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { failureOf } from "../support/failureOf.ts";
import { quoteShapes } from "../verify/quoteShapes.ts";

describe("passPreflight", () => {
  const network = useNetwork();
  const quoteOf = (shape: string) =>
    getQuote(createServiceClient({ baseUrl: network.url }), quoteShapes(network)[shape] as GetQuoteParameters);

  it("passes for a quote whose legs succeed, and for a promise of such a quote", async () => {
    await expect(quoteOf("native")).to.passPreflight(network);
    const request = quoteShapes(network)["token calls"]!;
    await expect({ request, quote: await quoteOf("token calls") }).to.not.passPreflight({
      chains: network.chains.map(({ id, rpcUrl }) => ({ id, rpcUrl })),
    });
  });

  it("reports the balances and allowances that a quote leaves behind", async () => {
    const error = await failureOf(expect(quoteOf("token calls")).to.passPreflight(network));
    expect((error as Error).message)
      .to.match(/^expected the quote of request 0x[0-9a-f]{64} to pass its preflight, but /u)
      .and.include("LEFT_TOKENS (destination): ");
  });

  it("rejects any value that is not a quote, even when negated", async () => {
    const error = await failureOf(expect({}).to.not.passPreflight(network));
    expect((error as Error).message).to.equal("expected a quote from getQuote, or `{ request, quote }`");
  });
});
