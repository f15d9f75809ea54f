import { expect } from "chai";
import { zeroAddress } from "viem";

import type { Quote, RequestRecord } from "../../packages/protocol/src/complete.ts";
import { getQuote } from "../support/complete.ts";
import { createServiceClient, executeSteps } from "../../packages/sdk/src/index.ts";
import { LOCAL_API_KEY } from "../../packages/crosscall/src/localnet/index.ts";
import { appClock, userWallet } from "./support/parties.ts";
import { recordOf } from "./support/serviceCalls.ts";
import { chainsOf, useNetwork } from "../support/useNetwork.ts";
import { etherRequest } from "./support/requests.ts";

interface RecordV2 {
  readonly id: string;
  readonly status: string;
  readonly referrer: string | null;
  readonly orderData?: { readonly salt: string; readonly output?: unknown };
  readonly data: Record<string, unknown>;
}

interface PageV2 {
  readonly requests: readonly RecordV2[];
  readonly continuation?: string;
  readonly deprecation?: Record<string, string>;
}

const AUGUST = Date.parse("2026-08-15T12:00:00Z");
const WITH_KEY = { "x-api-key": LOCAL_API_KEY };
const MOVED = { successor: "/requests/v3", migrationGuide: "/documentation" };

describe("GET /requests/v2", () => {
  const network = useNetwork({ clock: { now: () => now }, keepsRetired: false });
  const [origin, destination] = chainsOf(network);
  let now = AUGUST;
  let filled: RequestRecord;
  let quoted: Quote;
  let waiting: string;

  const call = async (query = "", headers: Record<string, string> = WITH_KEY) => {
    const response = await fetch(`${network.url}/requests/v2${query}`, { headers });
    return { status: response.status, headers: response.headers, body: (await response.json()) as PageV2 };
  };
  const idsOf = async (query: string) => (await call(query)).body.requests.map(({ id }) => id);

  before(async () => {
    const quote = (apiKey?: string) =>
      getQuote(
        createServiceClient({ baseUrl: network.url, ...(apiKey === undefined ? {} : { apiKey }) }),
        etherRequest(network, {
          recipient: network.accounts.stranger.address,
          referrer: "app",
          appFees: [{ recipient: network.accounts.stranger.address, fee: "100" }],
        }),
      );
    const executed = await quote(network.apiKey);
    quoted = executed;
    await executeSteps(createServiceClient({ baseUrl: network.url }), {
      quote: executed,
      wallet: userWallet(network, origin),
      pollIntervalMs: 25,
      clock: appClock(network),
      freshness: false,
    });
    now += 10_000;
    waiting = (await quote(network.apiKey)).steps[0]?.requestId ?? "";
    filled = await recordOf(network, executed.steps[0]?.requestId ?? "");
  });
  beforeEach(() => {
    // Each test uses a different minute, because rate limits apply per minute.
    now += 60_000;
  });

  it("announces its retirement in every response", async () => {
    for (const [query, status] of [
      ["", 200],
      ["?limit=0", 400],
    ] as const) {
      const answer = await call(query);
      expect(answer.status).to.equal(status);
      expect(answer.headers.get("deprecation")).to.equal("@1784678400");
      expect(answer.headers.get("sunset")).to.equal("Tue, 24 Nov 2026 00:00:00 GMT");
      expect(answer.headers.get("link")?.match(/rel="[^"]+"/gu)).to.deep.equal([
        'rel="deprecation"',
        'rel="sunset"',
        'rel="successor-version"',
      ]);
    }
    const { message, ...announced } = (await call()).body.deprecation ?? {};
    expect(message).to.be.a("string");
    expect(announced).to.deep.equal({
      ...MOVED,
      deprecatedAt: "2026-07-22T00:00:00.000Z",
      throttledFrom: "2026-09-01T00:00:00.000Z",
      sunsetAt: "2026-11-24T00:00:00.000Z",
    });
  });

  it("accepts a key, and rejects a wrong key", async () => {
    expect((await call("", {})).status).to.equal(200);
    expect((await call("", { "x-api-key": "another" })).status).to.equal(401);
  });

  it("returns the v3 data in the v2 fields", async () => {
    const [record] = (await call(`?id=${filled.id}`)).body.requests;
    const { data: v3 } = filled;
    const route = v3.route?.actual;
    expect(record).to.include({ id: filled.id, status: "success", user: filled.user, referrer: null });
    expect(record).to.not.have.any.keys("orderData", "sender", "requestType", "features");
    const data = record?.data ?? {};
    expect(data).to.include({
      failReason: "N/A",
      refundFailReason: "N/A",
      subsidizedRequest: false,
      currency: "eth",
      feeCurrency: "eth",
      price: quoted.details.currencyOut.amount,
    });
    expect(data.currencyObject).to.deep.equal(v3.fees?.currency);
    expect(data.appFees).to.deep.equal(v3.appFees.quoted);
    expect(data.paidAppFees).to.deep.equal(v3.appFees.actual);
    expect(data.inTxs).to.deep.equal(v3.inTxs.map(({ txHash: hash, feeUsd: _, ...entry }) => ({ hash, ...entry })));
    expect(data.outTxs).to.deep.equal(v3.outTxs.map(({ txHash: hash, feeUsd: _, ...entry }) => ({ hash, ...entry })));
    expect(data.metadata).to.deep.equal({
      sender: filled.sender,
      recipient: filled.recipient,
      currencyIn: route?.origin.inputCurrency,
      currencyOut: route?.destination?.outputCurrency,
      rate: route?.rate,
      route: {
        origin: { ...v3.route?.quoted.origin, includedSwapSources: v3.route?.includedOriginSwapSources },
        destination: { ...v3.route?.quoted.destination, includedSwapSources: v3.route?.includedDestinationSwapSources },
      },
      currencyGasTopup: null,
      quoteOraclePrice: null,
    });
    expect(data).to.have.nested.property("expandedPriceImpact.actual.relay.usd", v3.fees?.actual?.platform.usd);
    expect(data).to.have.nested.property("expandedPriceImpact.quoted.execution.usd", v3.fees?.quoted.execution.usd);
    expect(data).to.have.nested.property("feeSponsorship.quoted.components.relay.selected", false);
    expect(data).to.not.have.nested.property("feeSponsorship.quoted.components.platform");
    expect(data).to.have.nested.property("feesUsd.fixed", "0.020000");
    expect(data).to.have.nested.property("fees.fixed", "8000000000000");
    expect(data).to.have.nested.property("fees.gateway", "0");
  });

  it("includes orders on request, but hides the output of other integrators' orders while they are pending", async () => {
    const own = (await call("?includeOrderData=true")).body.requests;
    expect(own.map(({ id, orderData }) => [id, Object.hasOwn(orderData ?? {}, "output")])).to.deep.equal([
      [waiting, true],
      [filled.id, true],
    ]);
    const others = (await call("?includeOrderData=true", {})).body.requests;
    expect(others.map(({ orderData }) => Object.hasOwn(orderData ?? {}, "output"))).to.deep.equal([false, true]);
    expect(others[0]?.orderData?.salt).to.equal(own[0]?.orderData?.salt);
  });

  it("filters, sorts and paginates", async () => {
    const createdAt = Math.floor(Date.parse(filled.createdAt) / 1_000);
    const block = filled.data.inTxs[0]?.block;
    for (const [query, ids] of [
      ["", [waiting, filled.id]],
      ["?sortDirection=asc", [filled.id, waiting]],
      ["?sortBy=updatedAt", [waiting, filled.id]],
      [`?id=${waiting}`, [waiting]],
      [`?orderId=${filled.protocol?.orderId}`, [filled.id]],
      [`?hash=${filled.data.outTxs[0]?.txHash}`, [filled.id]],
      [`?hash=${filled.data.inTxs[0]?.txHash}`, [filled.id]],
      [`?user=${network.accounts.stranger.address.toLowerCase()}`, [waiting, filled.id]],
      [`?originChainId=${origin.id}&chainId=5`, [waiting, filled.id]],
      [`?destinationChainId=${origin.id}`, []],
      [`?chainId=${destination.id}`, [waiting, filled.id]],
      ["?chainId=5", []],
      [`?endTimestamp=${createdAt}`, [filled.id]],
      [`?startTimestamp=${createdAt + 1}`, [waiting]],
      [`?startBlock=${block}&endBlock=${block}`, [filled.id]],
      ["?referrer=app", [waiting, filled.id]],
      ["?referrer=other", []],
      [`?depositAddress=${zeroAddress}`, []],
      ["?status=success", [filled.id]],
      ["?status=pending", []],
      [`?apiKey=${network.apiKey}`, [waiting, filled.id]],
      ["?apiKey=another", []],
    ] as const) {
      expect([query, await idsOf(query)]).to.deep.equal([query, ids]);
    }
    const { continuation } = (await call("?limit=1")).body;
    expect(await idsOf(`?limit=1&continuation=${continuation}`)).to.deep.equal([filled.id]);
    expect((await call(`?continuation=${continuation}&sortDirection=asc`)).status).to.equal(400);
  });

  /** Returns the number of requests in one minute before a request is rejected. */
  const countResponded = async (headers: Record<string, string>): Promise<number> => {
    for (let count = 0; ; count += 1) {
      const { status, body, headers: answered } = await call("?limit=1", headers);
      if (status === 200) continue;
      expect(status).to.equal(429);
      const { message, ...fields } = body as unknown as Record<string, string>;
      expect(message).to.be.a("string");
      expect(fields).to.deep.equal(MOVED);
      expect(answered.get("retry-after")).to.equal(null);
      expect(answered.get("sunset")).to.be.a("string");
      return count;
    }
  };

  for (const [time, withKey, withoutKey] of [
    ["2026-08-31T23:58:30Z", 200, 100],
    ["2026-09-01T00:00:00Z", 100, 50],
    ["2026-10-15T12:00:00Z", 50, 25],
    ["2026-11-23T23:59:59Z", 25, 12],
  ] as const) {
    it(`allows ${withKey} requests a minute with a key and ${withoutKey} without a key at ${time}`, async () => {
      now = Date.parse(time);
      expect(await countResponded(WITH_KEY)).to.equal(withKey);
      expect(await countResponded({})).to.equal(withoutKey);
      now += 60_000;
      expect((await call()).status).to.equal(time.startsWith("2026-11") ? 410 : 200);
    });
  }

  it("returns 410 for every query from 24 November 2026, with or without a key", async () => {
    for (const time of ["2026-11-24T00:00:00Z", "2026-11-25T12:00:00Z"]) {
      now = Date.parse(time);
      for (const [query, headers] of [
        ["", WITH_KEY],
        ["?limit=0", {}],
        ["", { "x-api-key": "another" }],
      ] as const) {
        const { status, body, headers: answered } = await call(query, headers);
        expect(status).to.equal(410);
        const { message, ...fields } = body as unknown as Record<string, string>;
        expect(message).to.be.a("string");
        expect(fields).to.deep.equal(MOVED);
        expect(answered.get("deprecation")).to.equal("@1784678400");
      }
    }
  });
});
