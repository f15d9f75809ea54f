import { expect } from "chai";

import { cleanupErc20s } from "../../../../packages/sdk/src/calls/cleanups.ts";
import { refusal } from "../../../support/refusal.ts";
import { OTHER_RECIPIENT, OTHER_TOKEN, RECIPIENT, ROUTER, TOKEN } from "./accounts.ts";
import { readCall } from "./decode.ts";

describe("cleanupErc20s", () => {
  it("sends each token to its recipient, the full balance if no amount is given", () => {
    const call = cleanupErc20s({
      router: ROUTER,
      cleanups: [
        { token: TOKEN, recipient: RECIPIENT, amount: 5n },
        { token: OTHER_TOKEN, recipient: OTHER_RECIPIENT },
      ],
    });
    expect(readCall(call)).to.deep.equal({
      to: ROUTER,
      name: "cleanupErc20s",
      args: [[TOKEN, OTHER_TOKEN], [RECIPIENT, OTHER_RECIPIENT], [5n, 0n], "0x"],
      value: "0",
    });
  });

  it("rejects an empty list of tokens", () => {
    expect(refusal(() => cleanupErc20s({ router: ROUTER, cleanups: [] }))).to.deep.equal({
      code: "INVALID_INPUT",
      field: "cleanups",
      value: "[]",
    });
  });

  it("rejects an amount of zero, which would mean the full balance, and reports its index", () => {
    const cleanups = [
      { token: TOKEN, recipient: RECIPIENT },
      { token: OTHER_TOKEN, recipient: RECIPIENT, amount: 0n },
    ];
    expect(refusal(() => cleanupErc20s({ router: ROUTER, cleanups }))).to.deep.equal({
      code: "INVALID_INPUT",
      field: "cleanups[1].amount",
      value: "0",
    });
  });
});
