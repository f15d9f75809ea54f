import { expect } from "chai";

import { cleanupNative } from "../../../../packages/sdk/src/calls/cleanups.ts";
import { refusal } from "../../../support/refusal.ts";
import { RECIPIENT, ROUTER } from "./accounts.ts";
import { readCall } from "./decode.ts";

describe("cleanupNative", () => {
  it("sends the amount to the recipient", () => {
    expect(readCall(cleanupNative({ router: ROUTER, recipient: RECIPIENT, amount: 5n }))).to.deep.equal({
      to: ROUTER,
      name: "cleanupNative",
      args: [5n, RECIPIENT, "0x"],
      value: "0",
    });
  });

  it("sends the full balance if no amount is given", () => {
    expect(readCall(cleanupNative({ router: ROUTER, recipient: RECIPIENT })).args).to.deep.equal([0n, RECIPIENT, "0x"]);
  });

  it("rejects an amount of zero, which would mean the full balance", () => {
    expect(refusal(() => cleanupNative({ router: ROUTER, recipient: RECIPIENT, amount: 0n }))).to.deep.equal({
      code: "INVALID_INPUT",
      field: "amount",
      value: "0",
    });
  });
});
