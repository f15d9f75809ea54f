import { expect } from "chai";

import {
  fromQuoteFees,
  mapFees,
  sumFees,
  toFeeComponent,
  toQuoteFeeComponent,
  toQuoteFees,
} from "../../../../packages/protocol/src/fees/feeComponents.ts";
import { FEE_COMPONENTS, FEE_COMPONENTS_V2 } from "../../../../packages/protocol/src/schema/values.ts";

const fees = { swap: 1n, execution: 20n, platform: 300n, app: 4_000n };

describe("fee components", () => {
  it("have two names for one component, and rent only in v2", () => {
    expect(FEE_COMPONENTS_V2.map(toFeeComponent)).to.deep.equal(["execution", "swap", "platform", "app", undefined]);
    expect(FEE_COMPONENTS.map(toQuoteFeeComponent)).to.deep.equal(["execution", "swap", "relay", "app"]);
    expect(FEE_COMPONENTS.map((name) => toFeeComponent(toQuoteFeeComponent(name)))).to.deep.equal(FEE_COMPONENTS);
  });

  it("are renamed in both directions", () => {
    const quoteFees = { swap: 1n, execution: 20n, relay: 300n, app: 4_000n };
    expect(toQuoteFees(fees)).to.deep.equal(quoteFees);
    expect(fromQuoteFees(quoteFees)).to.deep.equal(fees);
  });

  it("add up", () => {
    expect(sumFees(fees)).to.equal(4_321n);
  });

  it("are mapped one by one, by name", () => {
    expect(mapFees(fees, (fee, name) => `${name} ${fee}`)).to.deep.equal({
      swap: "swap 1",
      execution: "execution 20",
      platform: "platform 300",
      app: "app 4000",
    });
  });
});
