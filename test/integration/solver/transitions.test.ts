import { expect } from "chai";
import { parseEther, zeroAddress } from "viem";

import { getQuote } from "../../support/complete.ts";
import { createServiceClient, executeSteps } from "../../../packages/sdk/src/index.ts";
import { userWallet } from "../support/parties.ts";
import { get, recordOf } from "../support/serviceCalls.ts";
import { useNetwork } from "../../support/useNetwork.ts";

describe("the state transitions of a request", () => {
  const network = useNetwork();

  it("are recorded with their times, and can be read only with the admin key", async () => {
    const client = createServiceClient({ baseUrl: network.url });
    const [origin, destination] = network.chains;
    const quote = await getQuote(client, {
      user: network.accounts.user.address,
      originChainId: origin.id,
      destinationChainId: destination.id,
      originCurrency: zeroAddress,
      destinationCurrency: destination.contracts.dollar,
      tradeType: "EXACT_INPUT",
      amount: parseEther("1").toString(),
    });
    const requestId = quote.steps[0]?.requestId ?? "";
    expect(await network.transitionsOf(requestId)).to.deep.equal([]);
    await executeSteps(client, { quote, wallet: userWallet(network, origin), pollIntervalMs: 25 });

    const path = `/admin/requests/${requestId}/transitions`;
    const { status, body } = await get(network, path, { "x-admin-key": network.adminKey });
    const transitions = await network.transitionsOf(requestId);
    expect([status, body]).to.deep.equal([200, { transitions, scenarios: [] }]);
    const taken = transitions.filter(({ to }) => to !== "depositing");
    expect(taken.map(({ to, reason }) => [to, reason])).to.deep.equal([
      ["pending", null],
      ["submitted", null],
      ["success", null],
    ]);
    const times = transitions.map(({ at }) => Date.parse(at));
    expect(times).to.deep.equal(times.toSorted((one, other) => one - other));
    for (const [index, { from }] of transitions.entries()) {
      expect(from).to.equal(transitions[index - 1]?.to ?? "waiting");
    }

    const { data } = await recordOf(network, requestId);
    const { user } = network.accounts;
    const [deposit, fill] = [data.inTxs[0], data.outTxs[0]];
    expect(deposit?.data).to.deep.include({
      from: user.address,
      to: origin.contracts.depository.toLowerCase(),
      value: parseEther("1").toString(),
      call: { functionName: "depositNative", args: [user.address, quote.protocol?.v2.orderId] },
    });
    const ether = (address: string, amount: bigint) => ({
      address: address.toLowerCase(),
      currency: zeroAddress,
      amount: amount.toString(),
    });
    expect(deposit?.stateChanges).to.deep.equal([
      ether(user.address, -parseEther("1")),
      ether(origin.contracts.depository, parseEther("1")),
    ]);
    const { amount } = quote.details.currencyOut;
    const currency = destination.contracts.dollar.toLowerCase();
    expect(fill?.data).to.deep.include({ call: { functionName: "transfer", args: [user.address, amount] } });
    expect(fill?.stateChanges).to.deep.equal([
      { address: network.solver.toLowerCase(), currency, amount: `-${amount}` },
      { address: user.address.toLowerCase(), currency, amount },
    ]);

    expect((await get(network, path)).status).to.equal(401);
    const unknown = await get(network, "/admin/requests/0x1/transitions", { "x-admin-key": network.adminKey });
    expect(unknown.status).to.equal(404);
  });
});
