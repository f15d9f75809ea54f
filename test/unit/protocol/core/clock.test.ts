import { expect } from "chai";

import { systemClock, unixSeconds } from "../../../../packages/protocol/src/core/clock.ts";

describe("clock", () => {
  it("uses the machine's clock by default, in milliseconds", () => {
    const before = Date.now();
    const now = systemClock.now();
    expect(now).to.be.within(before, Date.now());
  });

  it("counts whole seconds like chains", () => {
    for (const [nowMs, seconds] of [
      [0, 0],
      [999, 0],
      [1_000, 1],
      [1_790_000_000_999, 1_790_000_000],
    ] as const) {
      expect(unixSeconds({ now: () => nowMs })).to.equal(seconds);
    }
  });
});
