import { expect } from "chai";

import { SVM_CHAIN_ID } from "../../../../packages/protocol/src/chains/chainIds.ts";
import type { QuoteRequest } from "../../../../packages/protocol/src/quote/quoteRequest.ts";
import { nextSvmRoute } from "../../../../packages/protocol/src/quote/svmRoute.ts";
import { NATIVE, SVM_USDC, USER } from "../fixtures.ts";

const request: QuoteRequest = {
  user: SVM_USDC,
  recipient: USER,
  originChainId: SVM_CHAIN_ID,
  destinationChainId: 8453,
  originCurrency: SVM_USDC,
  destinationCurrency: NATIVE,
  tradeType: "EXACT_INPUT",
  amount: "1",
};

/** The variants below a request, each with its change. */
function ladder(from: QuoteRequest): unknown[] {
  const variants: unknown[] = [];
  for (let route = nextSvmRoute(from); route !== undefined; route = nextSvmRoute(route.request)) {
    const { maxRouteLength, includedOriginSwapSources, ...rest } = route.request;
    expect(rest).to.deep.equal(request);
    variants.push([route.variant, maxRouteLength, includedOriginSwapSources]);
  }
  return variants;
}

describe("nextSvmRoute", () => {
  it("tries 4 hops, then 3, then the aggregator alone, then nothing", () => {
    expect(ladder(request)).to.deep.equal([
      ["maxRouteLength4", 4, undefined],
      ["maxRouteLength3", 3, undefined],
      ["aggregatorOnly", 3, ["jupiter"]],
    ]);
  });

  it("never raises a limit", () => {
    expect(ladder({ ...request, maxRouteLength: 4 })).to.deep.equal([
      ["maxRouteLength3", 3, undefined],
      ["aggregatorOnly", 3, ["jupiter"]],
    ]);
    expect(ladder({ ...request, maxRouteLength: 2 })).to.deep.equal([["aggregatorOnly", 2, ["jupiter"]]]);
    expect(ladder({ ...request, maxRouteLength: 6 })).to.have.length(3);
  });

  it("never widens the swap sources", () => {
    expect(ladder({ ...request, maxRouteLength: 3, includedOriginSwapSources: ["other", "jupiter"] })).to.deep.equal([
      ["aggregatorOnly", 3, ["jupiter"]],
    ]);
    expect(ladder({ ...request, maxRouteLength: 3, includedOriginSwapSources: ["other"] })).to.deep.equal([]);
    expect(ladder({ ...request, includedOriginSwapSources: ["jupiter"] })).to.deep.equal([
      ["maxRouteLength4", 4, ["jupiter"]],
      ["maxRouteLength3", 3, ["jupiter"]],
    ]);
  });

  it("has nothing to shorten on other chains", () => {
    expect(nextSvmRoute({ ...request, originChainId: 8453, destinationChainId: SVM_CHAIN_ID })).to.equal(undefined);
  });
});
