import { expect } from "chai";
import * as fc from "fast-check";

import { drawDelivery, drawFault } from "../../../../../packages/crosscall/src/localnet/scenarios/parameters.ts";
import { deliveredAmount } from "../../../../../packages/crosscall/src/localnet/solver/delivery.ts";

const kind = fc.constantFrom("fixed", "uniform", "normal" as const);
const bps = fc.integer({ min: -10_000, max: 10_000 });
const seed = fc.string({ minLength: 1, maxLength: 8 });
const index = fc.nat(10_000);

const INDEXES = Array.from({ length: 2_000 }, (_, at) => at);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the standard deviation from zero, not from the mean. */
const deviation = (draws: readonly number[]): number => Math.sqrt(mean(draws.map((draw) => draw ** 2)));

describe("the distribution of deliveries", () => {
  it("returns the same amounts for the same seed", () => {
    fc.assert(
      fc.property(kind, bps, seed, index, (...[kindOf, bpsOf, seedOf, at]) => {
        const draw = (): number => drawDelivery({ kind: kindOf, bps: bpsOf, seed: seedOf }, at);
        expect(draw()).to.equal(draw());
      }),
    );
  });

  it("returns different amounts for a different seed", () => {
    const draws = (seedOf: string): number[] =>
      INDEXES.slice(0, 20).map((at) => drawDelivery({ kind: "uniform", bps: 100, seed: seedOf }, at));
    expect(draws("a")).to.not.deep.equal(draws("b"));
  });

  it("keeps uniform draws within their bounds, around zero", () => {
    const draws = INDEXES.map((at) => drawDelivery({ kind: "uniform", bps: 100 }, at));
    expect(Math.max(...draws.map(Math.abs))).to.be.at.most(100);
    expect(Math.abs(mean(draws))).to.be.lessThan(5);
    expect(Math.abs(deviation(draws) - 100 / Math.sqrt(3))).to.be.lessThan(3);
  });

  it("draws from a normal distribution with the given standard deviation", () => {
    const draws = INDEXES.map((at) => drawDelivery({ kind: "normal", bps: 100 }, at));
    expect(Math.abs(mean(draws))).to.be.lessThan(8);
    expect(Math.abs(deviation(draws) - 100)).to.be.lessThan(5);
  });

  it("never reduces a delivery below zero", () => {
    for (const at of INDEXES) expect(drawDelivery({ kind: "normal", bps: 10_000 }, at)).to.be.at.least(-10_000);
  });

  const order = fc
    .record({ expected: fc.bigInt(1n, 10n ** 24n), room: fc.bigInt(0n, 10_000n), input: fc.bigInt(1n, 10n ** 24n) })
    .map(({ expected, room, input }) => ({
      expectedOutput: expected,
      minimumOutput: expected - (expected * room) / 10_000n,
      quotedInput: input,
      depositedInput: input,
    }));

  it("never delivers below the minimum unless configured", () => {
    fc.assert(
      fc.property(kind, bps, seed, index, order, (kindOf, bpsOf, seedOf, at, amounts) => {
        const deliveryBps = drawDelivery({ kind: kindOf, bps: bpsOf, seed: seedOf }, at);
        const delivery = { ...amounts, tradeType: "EXACT_INPUT", deliveryBps };
        expect(deliveredAmount(delivery) >= amounts.minimumOutput).to.equal(true);
        const moved = (amounts.expectedOutput * BigInt(10_000 + deliveryBps)) / 10_000n;
        expect(deliveredAmount({ ...delivery, deliversBelowMinimum: true })).to.equal(moved);
      }),
    );
  });

  it("delivers an exact output exactly, for every draw", () => {
    fc.assert(
      fc.property(bps, fc.boolean(), order, (deliveryBps, deliversBelowMinimum, amounts) => {
        const delivery = { ...amounts, tradeType: "EXACT_OUTPUT", deliveryBps, deliversBelowMinimum };
        expect(deliveredAmount(delivery)).to.equal(amounts.expectedOutput);
      }),
    );
  });

  it("injects a fault with the given probability", () => {
    const share = (probability: number): number =>
      mean(INDEXES.map((at) => (drawFault({ probability, seed: "x" }, at) ? 1 : 0)));
    expect([share(0), share(1)]).to.deep.equal([0, 1]);
    expect(Math.abs(share(0.25) - 0.25)).to.be.lessThan(0.04);
  });
});
