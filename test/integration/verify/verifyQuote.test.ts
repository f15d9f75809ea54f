import { expect } from "chai";

import { createServiceClient, CrosscallError, getQuote } from "../../../packages/sdk/src/index.ts";
import type { QuoteRequest } from "../../../packages/protocol/src/index.ts";
import { QuoteSchema } from "../../../packages/protocol/src/quote/quote.ts";
import { readResponse } from "../../../packages/protocol/src/schema/readResponse.ts";
import { verifyQuote } from "../../../packages/sdk/src/verify/verifyQuote.ts";
import type { Localnet } from "../../../packages/crosscall/src/localnet/index.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { mintDollars } from "../support/parties.ts";
import { isHarmless, mutateQuote } from "./mutateQuote.ts";
import { quoteShapes } from "./quoteShapes.ts";

/** Kinds of quotes with effects that decoding does not show. */
const SIMULATED = [
  "native deposit address",
  "token deposit address",
  "strict deposit address of an exact output",
  "swap",
  "swap to an exact output",
];

describe("verified quotes from the local service", () => {
  const network = useNetwork({ sponsoringApiKeys: ["crosscall-local"] });

  before(() => mintDollars(network, network.chains[0], 1_000_000_000n));

  it("are bound or need a simulation, for each kind of quote", async () => {
    const client = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey, limits: false });
    for (const [shape, request] of Object.entries(quoteShapes(network))) {
      const quote = await getQuote(client, request);
      const { verdict, claims } = await verifyQuote({ request, quote, trust: network.trust, clock: network.clock });
      expect(
        claims.filter(({ isMet }) => !isMet),
        shape,
      ).to.deep.equal([]);
      expect(verdict, shape).to.equal(SIMULATED.includes(shape) ? "needsSimulation" : "bound");
    }
  });

  it("are rejected after any change that is not listed as harmless", async () => {
    let count = 0;
    for (const [shape, request] of Object.entries(quoteShapes(network))) {
      const { tried, accepted } = await listAccepted(network, shape, request);
      expect(accepted.join("\n"), shape).to.equal("");
      count += tried;
    }
    expect(count).to.be.above(15_000);
  });
});

export interface AcceptedChanges {
  /** Number of changes tried. */
  readonly tried: number;
  /** Changes that were accepted but are not listed as harmless. */
  readonly accepted: readonly string[];
}

/** Tries every change to a quote of this kind. */
export async function listAccepted(network: Localnet, shape: string, request: QuoteRequest): Promise<AcceptedChanges> {
  const client = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey, quoteVersion: 2, limits: false });
  const { quotedAtMs: _, quotedRequest: __, ...quote } = await getQuote(client, request);
  const accepted: string[] = [];
  let tried = 0;
  for (const mutation of mutateQuote(quote)) {
    tried += 1;
    if (isHarmless(mutation, shape)) continue;
    if (!(await isRefused(network, request, mutation.mutated))) accepted.push(`${mutation.path} ${mutation.name}`);
  }
  return { tried, accepted };
}

async function isRefused({ trust, clock }: Localnet, request: QuoteRequest, mutated: unknown): Promise<boolean> {
  try {
    const { verdict } = await verifyQuote({ request, quote: readResponse(QuoteSchema, mutated), trust, clock });
    return verdict === "refused";
  } catch (error) {
    if (error instanceof CrosscallError) return true;
    throw error;
  }
}
