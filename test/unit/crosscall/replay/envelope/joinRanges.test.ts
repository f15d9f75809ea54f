import { expect } from "chai";

import { joinRanges, type EnvelopePoint } from "../../../../../packages/crosscall/src/replay/envelope/envelope.ts";

const works = (amount: bigint): EnvelopePoint => ({
  amount,
  success: true,
  gasUsed: 1n,
  received: [],
  failReason: undefined,
  txIndex: undefined,
});
const fails = (amount: bigint, txIndex: number): EnvelopePoint => ({
  ...works(amount),
  success: false,
  failReason: "SLIPPAGE",
  txIndex,
});
const working = { success: true, failReason: undefined, txIndex: undefined };
const failing = (txIndex: number) => ({ success: false, failReason: "SLIPPAGE", txIndex });

describe("the ranges of an envelope", () => {
  it("are a single range if the outcome never changes", () => {
    expect(joinRanges([works(5n)])).to.deep.equal([{ from: 5n, to: 5n, ...working }]);
    expect(joinRanges([works(5n), works(7n), works(90n)])).to.deep.equal([{ from: 5n, to: 90n, ...working }]);
  });

  it("change with the outcome, without gaps", () => {
    const points = [fails(0n, 1), fails(9n, 1), works(10n), works(20n), fails(21n, 2), fails(40n, 0)];
    expect(joinRanges(points)).to.deep.equal([
      { from: 0n, to: 9n, ...failing(1) },
      { from: 10n, to: 20n, ...working },
      { from: 21n, to: 39n, ...failing(2) },
      { from: 40n, to: 40n, ...failing(0) },
    ]);
  });
});
