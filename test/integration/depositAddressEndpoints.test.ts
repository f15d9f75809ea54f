import { expect } from "chai";
import { type Address, toHex, zeroAddress } from "viem";

import { createServiceClient, getQuote } from "../../packages/sdk/src/index.ts";
import { isTerminalStatus, type QuoteRequest } from "../../packages/protocol/src/index.ts";
import type { LocalnetChain } from "../../packages/crosscall/src/localnet/index.ts";
import { expectLive, missingFields } from "../support/complete.ts";
import { until } from "../support/until.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { virtualTimer } from "../unit/sdk/client/virtualTimer.ts";
import { reader } from "./support/parties.ts";
import { get, post, recordOf } from "./support/serviceCalls.ts";
import { etherRequest } from "./support/requests.ts";

describe("the deposit address endpoints", () => {
  const timer = virtualTimer(Date.parse("2026-08-15T12:00:00Z"));
  const network = useNetwork({
    chains: [{ id: 31_337 }, { id: 31_338 }, { id: 31_339 }],
    otherApiKeys: ["foreign"],
    clock: timer,
  });
  let origin: LocalnetChain;
  let destination: LocalnetChain;
  let other: LocalnetChain;

  before(() => {
    const [first, second, third] = network.chains;
    if (third === undefined) throw new Error("expected three chains");
    [origin, destination, other] = [first, second, third];
  });

  async function quoteAddress(change: Partial<QuoteRequest> = {}) {
    const quote = await getQuote(createServiceClient({ baseUrl: network.url, apiKey: network.apiKey }), {
      ...etherRequest(network),
      recipient: "0x00000000000000000000000000000000000000bb",
      refundTo: network.accounts.stranger.address,
      useDepositAddress: true,
      ...change,
    });
    const [step] = quote.steps ?? [];
    return { requestId: step?.requestId ?? "", address: (step?.depositAddress ?? "") as Address };
  }

  describe("GET /deposit-addresses/v1", () => {
    const find = (query: string, apiKey = network.apiKey) =>
      get(network, `/deposit-addresses/v1${query}`, { "x-api-key": apiKey });

    it("finds a deposit address by its value in any letter case, and by its request", async () => {
      const { requestId, address } = await quoteAddress({ originCurrency: origin.contracts.dollar, strict: true });
      const { status, body } = await find(`?address=${address.toLowerCase()}`);
      expect(status).to.equal(200);
      expectLive("GET /deposit-addresses/v1 200", body);
      expect(missingFields("GET /deposit-addresses/v1 200", body)).to.deep.equal([]);
      expect(body).to.deep.equal({
        depositAddress: address,
        type: "strict",
        requestId,
        chainId: origin.id,
        createdAt: (await recordOf(network, requestId)).createdAt,
        currency: "usdc",
        refundTo: network.accounts.stranger.address,
      });
      expect((await find(`?requestId=${requestId}`)).body).to.deep.equal(body);
    });

    it("rejects a missing key, an unknown address and an ambiguous query", async () => {
      const { requestId, address } = await quoteAddress();
      const keyless = await get(network, `/deposit-addresses/v1?address=${address}`);
      expect(keyless.status).to.equal(401);
      expectLive("GET /deposit-addresses/v1 401", keyless.body);
      const unknown = await find(`?address=${network.solver}`);
      expect(unknown.status).to.equal(404);
      expectLive("GET /deposit-addresses/v1 404", unknown.body);
      expect((await find(`?requestId=0x${"1".repeat(64)}`)).status).to.equal(404);
      expect((await find("")).status).to.equal(400);
      expect((await find(`?address=${address}&requestId=${requestId}`)).status).to.equal(400);
    });
  });

  describe("POST /transactions/deposit-address/reindex", () => {
    const reindex = async (body: object, apiKey?: string) => {
      const headers: Record<string, string> = apiKey === undefined ? {} : { "x-api-key": apiKey };
      return post(network, "/transactions/deposit-address/reindex", body, headers);
    };

    // The solver reads the balance only when there is a new block.
    async function payUnseen(chain: LocalnetChain, address: Address, amount: bigint): Promise<void> {
      await reader(chain).request({ method: "hardhat_setBalance" as never, params: [address, toHex(amount)] as never });
    }

    for (const [where, paidOn] of [
      ["its chain", () => origin],
      ["another chain", () => other],
    ] as const) {
      it(`accepts a payment that the solver missed on ${where}`, async () => {
        const { requestId, address } = await quoteAddress();
        const amount = 2n * 10n ** 18n;
        await payUnseen(paidOn(), address, amount);
        const target = paidOn() === origin ? {} : { targetChainId: paidOn().id };
        const { status, body } = await reindex({ chainId: origin.id, depositAddress: address, ...target });
        expect(status).to.equal(200);
        expectLive("POST /transactions/deposit-address/reindex 200", body);
        expect(body).to.deep.include({
          triggeredCurrencies: [{ currency: zeroAddress, symbol: "ETH", balance: amount.toString() }],
          checkedCurrencies: 6,
          failedCurrencies: 0,
        });
        const record = await until(async () => {
          const found = await recordOf(network, requestId);
          return isTerminalStatus(found.status) && found;
        });
        expect(record.status).to.equal("success");
        expect(record.data.route?.actual.origin.inputCurrency.amount).to.equal(amount.toString());
      });
    }

    it("finds no payment at an empty address, and checks it again only after a minute", async () => {
      const { address } = await quoteAddress();
      const body = { chainId: origin.id, depositAddress: address, currency: origin.contracts.dollar, sweep: true };
      const nothing = await reindex(body);
      expect(nothing.status).to.equal(404);
      expectLive("POST /transactions/deposit-address/reindex 404", nothing.body);
      const again = await reindex(body);
      expect(again.status).to.equal(429);
      expectLive("POST /transactions/deposit-address/reindex 429", again.body);
      expect((await reindex({ ...body, targetChainId: destination.id })).status).to.equal(404);
      await timer.advance(60_000);
      expect((await reindex(body)).status).to.equal(404);
    });

    it("rejects addresses that it cannot check", async () => {
      const { address } = await quoteAddress();
      const body = { chainId: origin.id, depositAddress: address };
      const statuses = async (...calls: readonly [body: object, apiKey?: string][]) =>
        Promise.all(calls.map(async ([change, apiKey]) => (await reindex({ ...body, ...change }, apiKey)).status));
      expect(
        await statuses(
          [{ chainId: 5 }],
          [{ targetChainId: 5 }],
          [{ currency: network.solver }],
          [{ chainId: undefined }],
          [{}, "foreign"],
          [{ depositAddress: network.solver }],
          [{ chainId: destination.id }],
        ),
      ).to.deep.equal([400, 400, 400, 400, 403, 404, 404]);
    });
  });
});
