import { expect } from "chai";

import * as calls from "../../../src/calls/index.ts";

describe("crosscall/calls", () => {
  it("exports the builders, the planner and the programs of the push executor", () => {
    expect(Object.keys(calls)).to.deep.equal([
      "approve",
      "callFunction",
      "callProxy",
      "cleanupErc20s",
      "cleanupNative",
      "decodeProgram",
      "encodeProgram",
      "formatProgram",
      "live",
      "packed",
      "planCalls",
      "pullAndExecute",
      "pushAndExecute",
      "resetAllowance",
      "returned",
    ]);
  });
});
