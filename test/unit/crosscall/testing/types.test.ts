import { expect, use } from "chai";
import { type Address, maxUint256, zeroAddress } from "viem";

import { planCalls, planRecipe, unwrapNative } from "../../../../packages/sdk/src/calls/index.ts";
import { ROUTER_ADDRESS } from "../../../../packages/protocol/src/generations/routers.ts";
import { crosscallMatchers, type FillablePlan } from "../../../../packages/crosscall/src/testing/index.ts";

use(crosscallMatchers);

const USER: Address = "0x1111111111111111111111111111111111111111";
const TOKEN: Address = "0x2222222222222222222222222222222222222222";
const PROXY: Address = "0x3333333333333333333333333333333333333333";

describe("the crosscall/testing types", () => {
  it("accept the planners' output, including unknown fields", () => {
    const recipient = { getAddress: () => Promise.resolve(USER) };
    const terms = { tradeType: "EXACT_INPUT", router: ROUTER_ADDRESS, recipient: USER, amount: 1n } as const;
    const actions = [{ kind: "proxy", token: TOKEN, proxy: PROXY, recipient: USER, deadline: maxUint256 }] as const;
    const planned = planCalls({ ...terms, destinationCurrency: TOKEN, actions });
    const recipe = planRecipe({ ...terms, recipe: unwrapNative, args: { wrappedNative: TOKEN }, proxy: PROXY });
    const plans: FillablePlan[] = [
      { ...planned, destinationCurrency: { address: TOKEN }, recipient },
      { ...recipe, recipient },
    ];
    // @ts-expect-error planCalls does not return the currency
    const withoutCurrency: FillablePlan = { ...planned, recipient };
    // @ts-expect-error a recipient has an address
    const without: FillablePlan = { ...recipe, recipient: 12 };
    expect([...plans, withoutCurrency, without]).to.have.length(4);
  });

  it("reject incomplete and unknown assertions", () => {
    const fill: unknown = undefined;
    // @ts-expect-error an amount of tokens is a bigint
    const number = (): unknown => expect(fill).to.deliver(TOKEN, 1).to(USER);
    // @ts-expect-error the recipient must come before other assertions
    const recipient = (): unknown => expect(fill).to.deliver(zeroAddress, 1n).and;
    // @ts-expect-error the service does not have this reason
    const reason = (): unknown => expect(fill).to.failWith("SLIPAGE");
    expect([number, recipient, reason]).to.have.length(3);
  });
});
