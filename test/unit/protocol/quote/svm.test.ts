import { expect } from "chai";

import { SVM_CHAIN_ID } from "../../../../packages/protocol/src/chains/chainIds.ts";
import type { QuoteRequest } from "../../../../packages/protocol/src/quote/quoteRequest.ts";
import { nextSvmRoute } from "../../../../packages/protocol/src/quote/svmRoute.ts";
import {
  measureSvmTransaction,
  SVM_COMPUTE_BUDGET_BYTES,
  SVM_QUOTED_MAX_BYTES,
  SVM_TRANSACTION_MAX_BYTES,
} from "../../../../packages/protocol/src/quote/svmTransactionSize.ts";
import { refusal } from "../../../support/rejection.ts";
import { fromSvm } from "../fixtures.ts";

const request: QuoteRequest = fromSvm;

/** Returns a request's smaller variants, each with the change that it makes. */
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
  it("tries 4 hops, then 3, then only the aggregator, then no smaller route", () => {
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

  it("never adds swap sources", () => {
    expect(ladder({ ...request, maxRouteLength: 3, includedOriginSwapSources: ["other", "jupiter"] })).to.deep.equal([
      ["aggregatorOnly", 3, ["jupiter"]],
    ]);
    expect(ladder({ ...request, maxRouteLength: 3, includedOriginSwapSources: ["other"] })).to.deep.equal([]);
    expect(ladder({ ...request, includedOriginSwapSources: ["jupiter"] })).to.deep.equal([
      ["maxRouteLength4", 4, ["jupiter"]],
      ["maxRouteLength3", 3, ["jupiter"]],
    ]);
  });

  it("returns no smaller route for other chains", () => {
    expect(nextSvmRoute({ ...request, originChainId: 8453, destinationChainId: SVM_CHAIN_ID })).to.equal(undefined);
  });
});

const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(7);
const text = (length: number): string => Buffer.from(bytes(length)).toString("base64");

describe("measureSvmTransaction", () => {
  it("uses the limits of the specification", () => {
    expect([SVM_TRANSACTION_MAX_BYTES, SVM_COMPUTE_BUDGET_BYTES, SVM_QUOTED_MAX_BYTES]).to.deep.equal([1232, 60, 1172]);
  });

  const cases: [number, boolean, boolean, number][] = [
    [1, true, true, 1171],
    [1172, true, true, 0],
    [1173, false, true, -1],
    [1232, false, true, -60],
    [1233, false, false, -61],
  ];
  for (const [sizeBytes, fitsQuote, fitsChain, headroomBytes] of cases) {
    it(`measures ${sizeBytes} bytes in binary and base64 form`, () => {
      const size = { sizeBytes, fitsQuote, fitsChain, headroomBytes };
      expect(measureSvmTransaction(bytes(sizeBytes))).to.deep.equal(size);
      expect(measureSvmTransaction(text(sizeBytes))).to.deep.equal(size);
    });
  }

  it("adds the size of each part", () => {
    expect(measureSvmTransaction(text(1170), [bytes(2), text(1)])).to.deep.equal({
      sizeBytes: 1173,
      fitsQuote: false,
      fitsChain: true,
      headroomBytes: -1,
    });
  });

  it("rejects text that is not base64, and reports the field", () => {
    expect(refusal(() => measureSvmTransaction("a"))).to.deep.include({ code: "INVALID_INPUT", field: "transaction" });
    expect(refusal(() => measureSvmTransaction("", ["", "?"]))).to.deep.include({ field: "added[1]" });
  });
});
