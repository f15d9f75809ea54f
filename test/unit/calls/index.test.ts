import { expect } from "chai";

import * as calls from "../../../src/calls/index.ts";

describe("crosscall/calls", () => {
  it("exports the builders and the planner", () => {
    expect(Object.keys(calls)).to.deep.equal([
      "approve",
      "callProxy",
      "cleanupErc20s",
      "cleanupNative",
      "planCalls",
      "resetAllowance",
    ]);
  });
});
