import { expect } from "chai";

import { restartDelayMs } from "../../../../packages/oracle/src/workers/startWorkers.ts";

describe("restartDelayMs", () => {
  it("returns zero at first, then doubles the delay each time up to half a minute", () => {
    const delays = [1, 2, 3, 4, 7, 8, 9, 2_000].map(restartDelayMs);
    expect(delays).to.deep.equal([0, 500, 1_000, 2_000, 16_000, 30_000, 30_000, 30_000]);
  });
});
