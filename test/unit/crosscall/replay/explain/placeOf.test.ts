import { expect } from "chai";
import { pad } from "viem";

import { placeOf } from "../../../../../packages/crosscall/src/replay/explain/placeOf.ts";
import { frameOf } from "../trace/frames.ts";

const ROUTER = pad("0xa1", { size: 20 });
const PROXY = pad("0xa2", { size: 20 });
const CODE = pad("0xa3", { size: 20 });

describe("placeOf", () => {
  it("returns the functions of the contract that raised the error, and not those of its callers", () => {
    const router = frameOf({ to: ROUTER, input: "0x11111111" });
    const proxy = frameOf({ from: ROUTER, to: PROXY, input: "0x22222222" });
    expect(placeOf([router, proxy]).selectors).to.deep.equal(["0x22222222"]);
    expect(placeOf([router]).selectors).to.deep.equal(["0x11111111"]);
    expect(placeOf([proxy, frameOf({ from: PROXY, to: ROUTER })]).selectors).to.deep.equal([]);
  });

  it("counts delegated code as the contract's, whichever sender the node reports for its calls", () => {
    const proxy = frameOf({ from: ROUTER, to: PROXY, input: "0x22222222" });
    for (const from of [PROXY, ROUTER]) {
      const code = frameOf({ kind: "DELEGATECALL", from, to: CODE, input: "0x33333333" });
      const place = placeOf([proxy, code]);
      expect(place.contract.toLowerCase()).to.equal(PROXY);
      expect(place.selectors).to.deep.equal(["0x22222222", "0x33333333"]);
    }
  });
});
