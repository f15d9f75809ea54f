import { expect } from "chai";

import { createServiceClient } from "../../../packages/sdk/src/index.ts";
import type { Quote } from "../../../packages/protocol/src/complete.ts";
import type { Localnet, LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { getQuote } from "../../support/complete.ts";
import { until } from "../../support/until.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { dollarsOf } from "../support/parties.ts";
import { requestIdOf, watchToEnd } from "../support/requests.ts";
import { get, post, recordOf } from "../support/serviceCalls.ts";
import { authorize, callsOf, signBatch } from "./batches.ts";
import { fundPermits, permitRequest, permitStepOf, postPermit, signPermit } from "./support.ts";

const API_KEY = "sponsor";
const headers = { "x-api-key": API_KEY };

/** Methods by which the service makes a deposit that the user signed. */
const PAYMENTS = {
  permit: {
    quote: (network: Localnet) => getQuote(client(network), permitRequest(network, "eip3009")),
    async pay(network: Localnet, quote: Quote) {
      const step = permitStepOf(quote);
      return postPermit(network, step.body, await signPermit(network, step));
    },
  },
  "call of POST /execute": {
    quote: (network: Localnet) =>
      getQuote(client(network), permitRequest(network, "eip3009", { usePermit: false, originGasOverhead: 80_000 })),
    async pay(network: Localnet, quote: Quote) {
      const [origin] = network.chains;
      const { user } = network.accounts;
      const data = await signBatch(user, origin, callsOf(quote));
      const authorizationList = [await authorize(user, origin)];
      const call = { chainId: origin.id, to: user.address, data, value: "0", authorizationList };
      const body = { executionKind: "rawCalls", data: call, requestId: requestIdOf(quote) };
      return post(network, "/execute", { ...body, executionOptions: { subsidizeFees: true } }, headers);
    },
  },
} as const;

function client(network: Localnet) {
  return createServiceClient({ baseUrl: network.url, apiKey: API_KEY });
}

for (const [name, payment] of Object.entries(PAYMENTS)) {
  describe(`a fast fill of a request that is paid with a ${name}`, () => {
    const network = useNetwork({ apiKeys: [API_KEY], sponsoringApiKeys: [API_KEY], sponsorBalanceUsd: 1_000 });
    let origin: LocalnetChain;

    before(async () => {
      [origin] = network.chains;
      await fundPermits(network);
    });
    afterEach(() => network.scenarios.clear());

    const fastFill = (quote: Quote) => post(network, "/fast-fill", { requestId: requestIdOf(quote) }, headers);
    const dollars = () => dollarsOf(origin, network.accounts.user.address);
    /** In US dollars. */
    const balance = async (): Promise<number> => {
      const { body } = await get(network, `/admin/sponsors?apiKey=${API_KEY}`, { "x-admin-key": network.adminKey });
      return Number((body as { balance: string }).balance) / 1e6;
    };
    async function expectPaid(quote: Quote, before: bigint): Promise<void> {
      const { status, data } = await until(async () => {
        const record = await recordOf(network, requestIdOf(quote));
        return record.data.inTxs.length === 1 && record;
      });
      expect([status, data.failReason, data.outTxs.length]).to.deep.equal(["success", null, 1]);
      expect(before - (await dollars())).to.equal(BigInt(quote.details.currencyIn.amount));
      // The sponsor pays only for the gas of a sponsored call.
      await until(async () => (await balance()) > 999);
    }

    it("costs nothing if the fill reverts before the user signs", async () => {
      await network.scenarios.set("TRANSACTION_REVERTED", { next: 1 });
      const quote = await payment.quote(network);
      const before = await dollars();
      expect(await fastFill(quote)).to.include({ status: 200 });
      await until(async () => (await recordOf(network, requestIdOf(quote))).data.failReason === "TRANSACTION_REVERTED");
      expect(await payment.pay(network, quote)).to.include({ status: 400 });
      expect(await dollars()).to.equal(before);
      expect(await balance()).to.equal(1_000);
    });

    it("is paid for if the user signs afterwards", async () => {
      const quote = await payment.quote(network);
      const before = await dollars();
      expect(await fastFill(quote)).to.include({ status: 200 });
      expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("success");
      const answer = await payment.pay(network, quote);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      await expectPaid(quote, before);
    });
  });
}

describe("a fast fill that is queued when a permit is posted", () => {
  const network = useNetwork({ apiKeys: [API_KEY], sponsoringApiKeys: [API_KEY], sponsorBalanceUsd: 1_000 });

  before(() => fundPermits(network));

  it("is filled first, and the permit makes the deposit", async () => {
    const [origin] = network.chains;
    const dollars = () => dollarsOf(origin, network.accounts.user.address);
    await network.scenarios.set("stuck", { next: 1 });
    const quote = await PAYMENTS.permit.quote(network);
    const before = await dollars();
    expect(await post(network, "/fast-fill", { requestId: requestIdOf(quote) }, headers)).to.include({ status: 200 });
    expect(await PAYMENTS.permit.pay(network, quote)).to.include({ status: 200 });
    await network.scenarios.clear();
    const { status, data } = await until(async () => {
      const record = await recordOf(network, requestIdOf(quote));
      return record.data.inTxs.length === 1 && record;
    });
    expect([status, data.failReason, data.outTxs.length]).to.deep.equal(["success", null, 1]);
    expect(data).to.include({ triggeredByFastFill: true });
    expect(before - (await dollars())).to.equal(BigInt(quote.details.currencyIn.amount));
  });

  it("uses no funds from the permit if the fill reverts", async () => {
    const [origin] = network.chains;
    const dollars = () => dollarsOf(origin, network.accounts.user.address);
    await network.scenarios.set("stuck", { next: 1 });
    await network.scenarios.set("TRANSACTION_REVERTED", { next: 1 });
    const quote = await PAYMENTS.permit.quote(network);
    const before = await dollars();
    expect(await post(network, "/fast-fill", { requestId: requestIdOf(quote) }, headers)).to.include({ status: 200 });
    expect(await PAYMENTS.permit.pay(network, quote)).to.include({ status: 200 });
    await network.scenarios.clear();
    expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("failure");
    const { data } = await recordOf(network, requestIdOf(quote));
    expect([data.failReason, data.inTxs.length]).to.deep.equal(["TRANSACTION_REVERTED", 0]);
    expect(await dollars()).to.equal(before);
  });
});
