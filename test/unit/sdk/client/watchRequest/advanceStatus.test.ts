import { expect } from "chai";

import { isProgress } from "../../../../../sdk/src/client/watchRequest/advanceStatus.ts";
import type { IntentStatus } from "../../../../../sdk/src/protocol/request/intentStatus.ts";
import type { RequestStatus } from "../../../../../sdk/src/protocol/request/requestStatus.ts";
import { REQUEST_STATUSES } from "../../../../../sdk/src/protocol/schema/values.ts";

const at = (status: RequestStatus, updatedAt?: number): IntentStatus =>
  updatedAt === undefined ? { status } : { status, updatedAt };

describe("isProgress", () => {
  it("accepts any first status", () => {
    for (const status of REQUEST_STATUSES) expect(isProgress(undefined, at(status))).to.equal(true);
  });

  it("accepts nothing after success and refund", () => {
    for (const end of ["success", "refund"] as const) {
      for (const status of REQUEST_STATUSES) expect(isProgress(at(end, 1), at(status, 2))).to.equal(false);
    }
  });

  const cases: [string, IntentStatus, IntentStatus, boolean][] = [
    ["a later change, a step back too", at("submitted", 1), at("pending", 2), true],
    ["an earlier change, a step on too", at("pending", 2), at("submitted", 1), false],
    ["the same change twice", at("pending", 1), at("pending", 1), false],
    ["a step on in the same millisecond", at("pending", 1), at("submitted", 1), true],
    ["a step back in the same millisecond", at("submitted", 1), at("pending", 1), false],
    ["a step on without a time", at("pending", 1), at("submitted"), true],
    ["a step back without a time", at("submitted"), at("pending"), false],
    ["the refund leg of a failure without a time", at("failure"), at("pending"), true],
    ["the refund leg of a failure, later", at("failure", 1), at("pending", 2), true],
    ["a pending from before the failure", at("failure", 2), at("pending", 1), false],
    ["a waiting after a failure without a time", at("failure"), at("waiting"), false],
    ["a refund after a failure without a time", at("failure"), at("refund"), true],
  ];
  for (const [name, known, next, expected] of cases) {
    it(`${expected ? "accepts" : "ignores"} ${name}`, () => {
      expect(isProgress(known, next)).to.equal(expected);
    });
  }
});
