import { expect } from "chai";

import { toIntentStatus } from "../../../../../packages/sdk/src/client/watchRequest/advanceStatus.ts";
import { statusEvent } from "../webhooks/signed.ts";

describe("toIntentStatus", () => {
  const detailsOf = (change: object) => toIntentStatus(statusEvent(change)).details;

  it("takes the reason of a failure for details", () => {
    expect(detailsOf({ status: "refund", failReason: "SLIPPAGE" })).to.equal("SLIPPAGE");
    expect(detailsOf({ status: "refund", failReason: "SLIPPAGE", details: "more" })).to.equal("more");
  });

  it("has no details for an event without a reason, which is N/A on the live service", () => {
    expect(detailsOf({ status: "pending", failReason: "N/A" })).to.equal(undefined);
    expect(detailsOf({ status: "pending", failReason: null })).to.equal(undefined);
  });
});
