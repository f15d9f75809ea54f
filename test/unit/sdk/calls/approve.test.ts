import { expect } from "chai";

import { approve } from "../../../../packages/sdk/src/calls/approve.ts";
import { PROXY, TOKEN } from "./accounts.ts";
import { readCall } from "./decode.ts";

const UINT256_MAX = 2n ** 256n - 1n;

describe("approve", () => {
  it("allows the spender to transfer the amount of the token", () => {
    expect(readCall(approve({ token: TOKEN, spender: PROXY, amount: 5n }))).to.deep.equal({
      to: TOKEN,
      name: "approve",
      args: [PROXY, 5n],
      value: "0",
    });
  });

  it("approves the maximum if no amount is given", () => {
    expect(readCall(approve({ token: TOKEN, spender: PROXY })).args).to.deep.equal([PROXY, UINT256_MAX]);
  });
});
