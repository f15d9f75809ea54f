import { expect } from "chai";

import { findCause } from "../../../../../packages/crosscall/src/replay/explain/findCause.ts";
import { frameOf } from "../trace/frames.ts";

const ok = frameOf({});
const reverted = frameOf({ error: "reverted", output: "0xdeadbeef" });
const starved = frameOf({ error: "out of gas" });
const pathOf = (frame: Parameters<typeof frameOf>[0]) => findCause(frameOf(frame)).path;

describe("findCause", () => {
  it("follows revert data to the inner call, even if a caller wraps the data or continues for a while", () => {
    expect(pathOf({ error: "reverted", output: "0xdeadbeef", calls: [ok, reverted] })).to.deep.equal([1]);
    expect(pathOf({ error: "reverted", output: "0x01deadbeef02", calls: [reverted, ok] })).to.deep.equal([0]);
    const middle = frameOf({ error: "reverted", output: "0xdeadbeef", calls: [reverted] });
    expect(pathOf({ error: "reverted", output: "0xdeadbeef", calls: [middle, ok] })).to.deep.equal([0, 0]);
  });

  it("finds the failed call before a revert with another error, unless the caller handled its failure", () => {
    expect(pathOf({ error: "reverted", output: "0x12345678", calls: [ok, reverted] })).to.deep.equal([1]);
    expect(pathOf({ error: "reverted", output: "0x12345678", calls: [reverted, ok] })).to.deep.equal([]);
    expect(pathOf({ error: "reverted", output: "0x12345678", calls: [ok] })).to.deep.equal([]);
  });

  it("finds the deepest call that ran out of gas, regardless of its callers' errors", () => {
    const caller = frameOf({ error: "reverted", output: "0x12345678", calls: [ok, starved] });
    expect(pathOf({ error: "reverted", output: "0x87654321", calls: [ok, caller] })).to.deep.equal([1, 1]);
    expect(pathOf({ error: "out of gas", calls: [starved, ok] })).to.deep.equal([0]);
    expect(pathOf({ error: "out of gas", calls: [ok] })).to.deep.equal([]);
    // In this case, the caller had enough gas to continue, and failed on its own.
    expect(pathOf({ error: "reverted", output: "0x12345678", calls: [starved, ok] })).to.deep.equal([]);
  });
});
