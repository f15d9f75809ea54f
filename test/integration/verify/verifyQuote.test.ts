import { expect } from "chai";

import { createServiceClient, getQuote } from "../../../packages/sdk/src/index.ts";
import { verifyQuote } from "../../../packages/sdk/src/verify/verifyQuote.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { mintDollars } from "../support/parties.ts";
import { listAccepted } from "./listAccepted.ts";
import { quoteShapes } from "./quoteShapes.ts";

/** Decoding does not show what these do. */
const SIMULATED = [
  "native deposit address",
  "token deposit address",
  "strict deposit address of an exact output",
  "swap",
  "swap to an exact output",
  "SVM",
];

describe("quotes of the local service that are verified", () => {
  const network = useNetwork({ sponsoringApiKeys: ["crosscall-local"] });

  before(() => mintDollars(network, network.chains[0], 1_000_000_000n));

  it("are bound, or need a simulation, in each shape", async () => {
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

  it("are refused with any change that is not on the list of harmless ones", async () => {
    let count = 0;
    for (const [shape, request] of Object.entries(quoteShapes(network))) {
      const { tried, accepted } = await listAccepted(network, shape, request);
      expect(accepted.join("\n"), shape).to.equal("");
      count += tried;
    }
    expect(count).to.be.above(15_000);
  });
});
