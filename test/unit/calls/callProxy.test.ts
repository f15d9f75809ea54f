import { expect } from "chai";

import { callProxy } from "../../../src/calls/callProxy.ts";
import { PROXY, RECIPIENT } from "./accounts.ts";
import { readCall } from "./decode.ts";

describe("callProxy", () => {
  it("executes with the recipient, both minima and the deadline", () => {
    const call = callProxy({ proxy: PROXY, recipient: RECIPIENT, minimumIn: 5n, minimumOut: 6n, deadline: 7n });
    expect(readCall(call)).to.deep.equal({
      to: PROXY,
      name: "execute",
      args: [RECIPIENT, 5n, 6n, 7n],
      value: "0",
    });
  });

  it("asks for one at least, in and out, when no minimum is given", () => {
    expect(readCall(callProxy({ proxy: PROXY, recipient: RECIPIENT, deadline: 7n })).args).to.deep.equal([
      RECIPIENT,
      1n,
      1n,
      7n,
    ]);
  });
});
