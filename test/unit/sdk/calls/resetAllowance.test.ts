import { expect } from "chai";

import { resetAllowance } from "../../../../packages/sdk/src/calls/approve.ts";
import { PROXY, TOKEN } from "./accounts.ts";
import { readCall } from "./decode.ts";

describe("resetAllowance", () => {
  it("approves zero", () => {
    expect(readCall(resetAllowance({ token: TOKEN, spender: PROXY }))).to.deep.equal({
      to: TOKEN,
      name: "approve",
      args: [PROXY, 0n],
      value: "0",
    });
  });
});
