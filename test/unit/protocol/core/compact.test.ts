import { expect } from "chai";

import { compact } from "../../../../packages/protocol/src/core/compact.ts";

describe("compact", () => {
  it("drops fields that are undefined, and no others", () => {
    const absent: string | undefined = undefined;
    expect(compact({ name: "a", absent, empty: "", zero: 0n, none: null })).to.deep.equal({
      name: "a",
      empty: "",
      zero: 0n,
      none: null,
    });
  });
});
