import { expect } from "chai";
import fc from "fast-check";

import {
  afterTransferFee,
  beforeTransferFee,
  findPaths,
} from "../../../../../packages/crosscall/src/localnet/market/swaps/swap.ts";
import { account } from "./fixtures.ts";

const A = account("1");
const B = account("2");
const C = account("3");
const D = account("4");
const E = account("5");

describe("findPaths", () => {
  const pools = [
    { tokens: [A, B], fee: 500 },
    { tokens: [B, A], fee: 3_000 },
    { tokens: [B, C], fee: 3_000 },
    { tokens: [C, D], fee: 3_000 },
    { tokens: [D, E], fee: 3_000 },
    { tokens: [A, C], fee: 10_000 },
  ] as const;

  it("finds all paths of up to three pools without repeated tokens, shortest first", () => {
    expect(findPaths(pools, A, C)).to.deep.equal([
      { tokens: [A, C], fees: [10_000] },
      { tokens: [A, B, C], fees: [500, 3_000] },
      { tokens: [A, B, C], fees: [3_000, 3_000] },
    ]);
    expect(findPaths(pools, A, E)).to.deep.equal([{ tokens: [A, C, D, E], fees: [10_000, 3_000, 3_000] }]);
    expect(findPaths(pools, B, E).map(({ fees }) => fees.length)).to.deep.equal([3]);
    expect(findPaths(pools, A, account("9"))).to.deep.equal([]);
  });
});

describe("beforeTransferFee", () => {
  it("returns the smallest amount from which the full amount arrives", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 30n), fc.bigInt(0n, 9_999n), (arrives, feeBps) => {
        const sent = beforeTransferFee(arrives, feeBps);
        expect(afterTransferFee(sent, feeBps) >= arrives).to.equal(true);
        if (sent > 0n) expect(afterTransferFee(sent - 1n, feeBps) < arrives).to.equal(true);
      }),
    );
  });
});
