import { expect } from "chai";
import fc from "fast-check";

import { type Tried, searchBorders } from "../../../../../packages/crosscall/src/replay/envelope/searchBorders.ts";

/** Simulates a call with an outcome that changes at some amounts, and counts the attempts. */
function stepwise(outcomes: readonly { readonly from: bigint; readonly outcome: string }[]) {
  const goes: number[] = [];
  const at = (amount: bigint): Tried => {
    const { outcome } = outcomes.findLast(({ from }) => from <= amount) ?? { outcome: "none" };
    return { amount, outcome, success: outcome === "works" };
  };
  const tryAmounts = (amounts: readonly bigint[]) => {
    goes.push(amounts.length);
    return Promise.resolve(amounts.map(at));
  };
  return { at, tryAmounts, goes };
}

/** Returns the first amount tried that has each outcome. */
const bordersOf = (tried: readonly Tried[]): readonly bigint[] =>
  tried.flatMap(({ amount, outcome }, index) => {
    const before = tried[index - 1];
    return before === undefined || before.outcome === outcome ? [] : [amount];
  });

const UINT256_MAX = 2n ** 256n - 1n;

describe("the search for borders", () => {
  it("finds the smallest successful amount exactly, over all amounts", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.bigInt({ min: 1n, max: UINT256_MAX }),
        fc.integer({ min: 1, max: 200 }),
        async (needed, width) => {
          const { tryAmounts } = stepwise([
            { from: 0n, outcome: "too little" },
            { from: needed, outcome: "works" },
          ]);
          const tried = await searchBorders({ amounts: [0n, UINT256_MAX], tryAmounts, width });
          expect(tried.find(({ success }) => success)?.amount).to.equal(needed);
          expect(tried.findLast(({ success }) => !success)?.amount).to.equal(needed - 1n);
        },
      ),
    );
  });

  it("halves the range in each round", async () => {
    const { tryAmounts, goes } = stepwise([
      { from: 0n, outcome: "too little" },
      { from: 77n, outcome: "works" },
    ]);
    await searchBorders({ amounts: [0n, 2n ** 64n], tryAmounts, width: 1 });
    expect(goes).to.have.lengthOf(65);
    expect(goes.slice(1).every((count) => count === 1)).to.equal(true);
  });

  it("needs fewer rounds with more amounts per round", async () => {
    const { tryAmounts, goes } = stepwise([
      { from: 0n, outcome: "too little" },
      { from: 77n, outcome: "works" },
    ]);
    await searchBorders({ amounts: [0n, 2n ** 64n], tryAmounts, width: 255 });
    expect(goes).to.have.lengthOf(9);
  });

  it("finds a success at a single amount between two kinds of failure", async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 1n, max: 10n ** 30n }), fc.integer({ min: 1, max: 9 }), async (only, width) => {
        const { tryAmounts } = stepwise([
          { from: 0n, outcome: "too little" },
          { from: only, outcome: "works" },
          { from: only + 1n, outcome: "too much" },
        ]);
        const tried = await searchBorders({ amounts: [0n, 10n ** 30n + 1n], tryAmounts, width });
        expect(tried.filter(({ success }) => success).map(({ amount }) => amount)).to.deep.equal([only]);
        expect(bordersOf(tried)).to.deep.equal([only, only + 1n]);
      }),
    );
  });

  it("finds every border between tried amounts with different outcomes", async () => {
    const borders = fc.uniqueArray(fc.bigInt({ min: 1n, max: 10n ** 18n }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(borders, fc.integer({ min: 1, max: 16 }), async (found, width) => {
        const sorted = found.sort((left, right) => (left < right ? -1 : 1));
        // All outcomes differ from each other.
        const call = stepwise([0n, ...sorted].map((from, index) => ({ from, outcome: `kind ${index}` })));
        const tried = await searchBorders({ amounts: [0n, 10n ** 18n + 1n], tryAmounts: call.tryAmounts, width });
        expect(bordersOf(tried)).to.deep.equal(sorted);
        expect(tried).to.deep.equal(tried.map(({ amount }) => call.at(amount)));
      }),
    );
  });

  it("terminates with a border between success and failure for any pattern of failures", async () => {
    // Every amount below the border fails for a different reason.
    const tryAmounts = (amounts: readonly bigint[]): Promise<readonly Tried[]> =>
      Promise.resolve(
        amounts.map((amount) => ({
          amount,
          success: amount >= 10n ** 20n,
          outcome: amount >= 10n ** 20n ? "works" : `${amount}`,
        })),
      );
    const tried = await searchBorders({ amounts: [0n, 10n ** 19n, 10n ** 21n], tryAmounts, width: 64 });
    expect(tried.find(({ success }) => success)?.amount).to.equal(10n ** 20n);
    expect(tried.findLast(({ success }) => !success)?.amount).to.equal(10n ** 20n - 1n);
    expect(tried.length).to.be.lessThan(20_000);
  });

  it("stops when the caller aborts", async () => {
    const stop = new AbortController();
    const { tryAmounts, goes } = stepwise([
      { from: 0n, outcome: "too little" },
      { from: 77n, outcome: "works" },
    ]);
    const failure = await searchBorders({
      amounts: [0n, 10n ** 18n],
      tryAmounts: (amounts) => {
        if (goes.length === 5) stop.abort();
        return tryAmounts(amounts);
      },
      width: 1,
      signal: stop.signal,
    }).catch((error: unknown) => error);
    expect(failure).to.include({ code: "ABORTED" });
    expect(goes).to.have.lengthOf(6);
  });
});
