import { expect } from "chai";
import { zeroAddress } from "viem";

import { isNativeCurrency } from "../../../src/localnet/nativeCurrency.ts";
import { account } from "./fixtures.ts";

describe("isNativeCurrency", () => {
  it("is the zero address only", () => {
    expect([isNativeCurrency(zeroAddress), isNativeCurrency(account("9"))]).to.deep.equal([true, false]);
  });
});
