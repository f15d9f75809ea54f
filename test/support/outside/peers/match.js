// Fills calls, and uses one matcher that passes and one that fails.
import "crosscall/testing/register";

import { planCalls } from "@crosscall/sdk/calls";
import { AssertionError, expect } from "chai";
import { forkFill, placeRouter } from "crosscall/testing";
import { network } from "hardhat";
import { zeroAddress } from "viem";

const shop = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const connection = await network.create();
const terms = {
  tradeType: "EXACT_OUTPUT",
  router: await placeRouter(connection),
  destinationCurrency: zeroAddress,
  recipient: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
};
const action = { kind: "call", call: { to: shop, data: "0x", value: "1000" } };
const planned = planCalls({ ...terms, amount: 1_000n, actions: [action] });
const fill = await forkFill(connection, { ...terms, ...planned }, { amount: 1_500n });
await expect(fill).to.deliver(zeroAddress, 1_000n).to(shop).and.to.leaveNothingBehind();
const error = await expect(fill)
  .to.deliver(zeroAddress, 1n)
  .to(shop)
  .then(
    () => undefined,
    (thrown) => thrown,
  );
expect(error).to.be.instanceOf(AssertionError);
