import { expect } from "chai";
import fc from "fast-check";
import { zeroAddress, zeroHash } from "viem";

import { InvalidInputError } from "../../../../../packages/protocol/src/core/errors.ts";
import { envelopeRange, spreadAmounts } from "../../../../../packages/crosscall/src/replay/envelope/envelopeRange.ts";
import { replay } from "../../../../../packages/crosscall/src/replay/replay.ts";
import { failureOf } from "../../../../integration/support/failureOf.ts";
import type { FillPlan } from "../../../../../packages/crosscall/src/replay/fillPlan.ts";

const plan: FillPlan = {
  chainId: 1,
  router: zeroAddress,
  routerVersion: "v3",
  solver: zeroAddress,
  currency: zeroAddress,
  minimumAmount: 990n,
  expectedAmount: 1_000n,
  calls: [],
  refundTo: zeroAddress,
  nftRecipient: zeroAddress,
  recipient: zeroAddress,
  orderId: zeroHash,
};

describe("the amounts of an envelope", () => {
  it("range from the quote's minimum to the same distance above the expected amount", () => {
    expect(envelopeRange({ ...plan, minimumAmount: 900n })).to.deep.equal({
      from: 900n,
      to: 1_100n,
      steps: 25,
      scale: "linear",
    });
  });

  it("reach at least 1% above the expected amount", () => {
    expect(envelopeRange({ ...plan, minimumAmount: 1_000n })).to.include({ from: 1_000n, to: 1_010n });
  });

  it("use the given bounds", () => {
    const options = { from: 0n, to: 5n, steps: 3, scale: "log" } as const;
    expect(envelopeRange(plan, options)).to.deep.equal(options);
  });

  for (const [field, options] of [
    ["to", { from: 10n, to: 9n }],
    ["from", { from: -1n }],
    ["steps", { steps: 1 }],
    ["steps", { steps: 2.5 }],
    ["steps", { steps: 10_001 }],
  ] as const) {
    it(`are rejected if ${field} is invalid`, () => {
      expect(() => envelopeRange(plan, options))
        .to.throw(InvalidInputError)
        .that.includes({ field });
    });
  }

  it("are checked before the replay opens a fork", async () => {
    const planned = {
      name: "a plan",
      destinationChainId: 1,
      destinationCurrency: zeroAddress,
      tradeType: "EXACT_INPUT",
      amount: "1000",
      txs: [{ to: zeroAddress, data: "0x", value: "0" }],
      recipient: zeroAddress,
      delivered: 1_000n,
      router: "0x0000000000000000000000000000000000000001",
      routerVersion: "v3",
    } as const;
    const failure = await failureOf(
      replay({
        input: { kind: "plan", plan: planned },
        // Opening a fork would fail, because no node listens at this URL.
        rpcUrl: "http://127.0.0.1:9",
        envelope: { steps: 1 },
        signal: new AbortController().signal,
      }),
    );
    expect(failure).to.include({ code: "INVALID_INPUT", field: "steps" });
  });

  it("are spaced evenly", () => {
    expect(spreadAmounts({ from: 0n, to: 10n, steps: 5, scale: "linear" })).to.deep.equal([0n, 2n, 5n, 7n, 10n]);
  });

  it("are spaced by equal ratios", () => {
    expect(spreadAmounts({ from: 1n, to: 10_000n, steps: 5, scale: "log" })).to.deep.equal([
      1n,
      10n,
      100n,
      1_000n,
      10_000n,
    ]);
    expect(spreadAmounts({ from: 0n, to: 100n, steps: 3, scale: "log" })).to.deep.equal([0n, 10n, 100n]);
  });

  it("increase without duplicates from the first to the last", () => {
    const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
    const scale = fc.constantFrom("linear", "log");
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 2, max: 60 }), scale, (left, right, steps, kind) => {
        const [from, to] = left < right ? [left, right] : [right, left];
        const amounts = spreadAmounts({ from, to, steps, scale: kind });
        expect(amounts[0]).to.equal(from);
        expect(amounts.at(-1)).to.equal(to);
        expect(amounts.length).to.be.at.most(steps);
        expect(amounts.every((one, index) => index === 0 || one > (amounts[index - 1] ?? to))).to.equal(true);
      }),
    );
  });
});
