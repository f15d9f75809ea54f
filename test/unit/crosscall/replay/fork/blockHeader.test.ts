import { expect } from "chai";

import { readHeader } from "../../../../../packages/crosscall/src/replay/fork/blockHeader.ts";

describe("a block's hardfork", () => {
  const rulesOf = (fields: object): string => readHeader(1, { number: "0x1", ...fields }).rules;

  it("is the latest hardfork that the header fields prove", () => {
    expect(rulesOf({ difficulty: "0x1b81c1fe05b218" })).to.equal("london");
    expect(rulesOf({ difficulty: "0x0" })).to.equal("merge");
    expect(rulesOf({ difficulty: "0x0", withdrawalsRoot: "0x12" })).to.equal("shanghai");
    expect(rulesOf({ withdrawalsRoot: "0x12", parentBeaconBlockRoot: "0x34" })).to.equal("cancun");
    expect(rulesOf({ parentBeaconBlockRoot: "0x34", requestsHash: "0x56" })).to.equal("prague");
  });

  it("is Cancun if a chain without mining always reports a difficulty", () => {
    expect(rulesOf({ difficulty: "0x1" })).to.equal("cancun");
    expect(rulesOf({ difficulty: "0x1a" })).to.equal("cancun");
  });
});
