import { expect } from "chai";

import * as calls from "../../../src/calls/index.ts";

describe("crosscall/calls", () => {
  it("exports the builders, the planner, the checker, the decoder and the programs of the push executor", () => {
    expect(Object.keys(calls)).to.deep.equal([
      "CALL_RULES",
      "approve",
      "callFunction",
      "callProxy",
      "checkCalls",
      "cleanupErc20s",
      "cleanupNative",
      "decodeCalls",
      "decodeProgram",
      "encodeProgram",
      "formatCalls",
      "formatFindings",
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
