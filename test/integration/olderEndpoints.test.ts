import { expect } from "chai";
import { zeroAddress } from "viem";

import { createServiceClient, executeSteps, getQuote } from "../../packages/sdk/src/index.ts";
import type { Quote } from "../../packages/protocol/src/complete.ts";
import type { QuoteRequest } from "../../packages/protocol/src/index.ts";
import { expectLive, missingFields } from "../support/complete.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { appClock, userWallet } from "./support/parties.ts";
import { get, post } from "./support/serviceCalls.ts";
import { etherRequest } from "./support/requests.ts";

// Date before the end of GET /requests/v2, which the test compares with version 1.
const AUGUST = Date.parse("2026-08-15T12:00:00Z");

describe("the deprecated endpoints of the service", () => {
  const network = useNetwork({ clock: { now: () => now }, strict: true });
  let now = AUGUST;
  const ends: Record<string, string> = {};

  const request = (change: Partial<QuoteRequest> = {}): QuoteRequest => ({
    ...etherRequest(network),
    ...change,
  });
  const client = () => createServiceClient({ baseUrl: network.url, apiKey: network.apiKey, quoteVersion: 2 });
  const idOf = (quote: Pick<Quote, "steps">) => quote.steps[0]?.requestId ?? "";
  const read = async (path: string, part = path.replace(/\?.*$/u, "")) => {
    const { status, body } = await get(network, path);
    expect([path, status]).to.deep.equal([path, 200]);
    expectLive(`GET ${part} 200`, body);
    return body as Record<string, unknown>;
  };

  before(async () => {
    for (const [end, change] of [
      ["success", { appFees: [{ recipient: network.accounts.stranger.address, fee: "100" }] }],
      ["refund", { referrer: "debug-force-refund" }],
    ] as const) {
      const quote = await getQuote(client(), request(change as Partial<QuoteRequest>));
      const wallet = userWallet(network, network.chains[0]);
      await executeSteps(client(), {
        quote,
        wallet,
        pollIntervalMs: 25,
        clock: appClock(network),
        freshness: false,
      }).catch(() => undefined);
      ends[end] = idOf(quote as Quote);
      now += 1_000;
    }
    ends.waiting = idOf((await getQuote(client(), request())) as Quote);
  });

  it("name their replacement in every response", async () => {
    const quoted = JSON.stringify(request());
    const calls: Record<string, readonly [successor: string, path: string, body?: string]> = {
      "GET /config": ["/quote/v2", "/config?originChainId=31337&destinationChainId=31338"],
      "GET /config/v2": ["/quote/v2", "/config/v2?originChainId=31337&destinationChainId=31338"],
      "POST /currencies/v1": ["/currencies/v2", "/currencies/v1", "{}"],
      "GET /intents/status": ["/intents/status/v3", `/intents/status?requestId=${ends.success}`],
      "POST /execute/swap": ["/quote/v2", "/execute/swap", quoted],
      "POST /price": ["/quote/v2", "/price", quoted],
      "POST /quote": ["/quote/v2", "/quote", quoted],
      "GET /requests": ["/requests/v3", "/requests"],
      "GET /requests with an error": ["/requests/v3", "/requests?limit=0"],
    };
    for (const [name, [successor, path, body]] of Object.entries(calls)) {
      const response = await fetch(`${network.url}${path}`, {
        ...(body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body }),
      });
      expect([name, response.status]).to.deep.equal([name, name.endsWith("error") ? 400 : 200]);
      expect([name, response.headers.get("deprecation")]).to.deep.equal([name, `@${Date.UTC(2025, 11, 1) / 1_000}`]);
      expect([name, response.headers.get("link")]).to.deep.equal([name, `<${successor}>; rel="successor-version"`]);
    }
    const current = await fetch(`${network.url}/intents/status/v2?requestId=${ends.success}`);
    expect(current.headers.get("deprecation")).to.equal(null);
  });

  it("are marked as deprecated in the documentation", async () => {
    const { paths } = (await get(network, "/documentation/json")).body as {
      paths: Record<string, Record<string, { deprecated?: boolean }>>;
    };
    const deprecated = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).some((operation) => operation.deprecated === true) ? [path] : [],
    );
    expect(deprecated).to.have.members([
      "/config",
      "/config/v2",
      "/currencies/v1",
      "/execute/permits",
      "/execute/swap",
      "/intents/status",
      "/price",
      "/quote",
      "/quote/v2",
      "/requests",
      "/requests/v2",
    ]);
  });

  describe("POST /quote", () => {
    it("returns a quote like version 2, and its request can be executed", async () => {
      const { status, body } = await post(network, "/quote", request(), { "x-api-key": network.apiKey });
      expect(status).to.equal(200);
      expectLive("POST /quote 200", body);
      const quote = body as Quote;
      const { details } = (await getQuote(client(), request())) as Quote;
      expect(quote.details).to.deep.equal(details);
      expect((await read(`/intents/status/v3?requestId=${idOf(quote)}`)).status).to.equal("waiting");
    });

    it("applies the scenarios in the request", async () => {
      const { status, body } = await post(network, "/quote", request({ referrer: "scenario:quote:NO_QUOTES" }));
      expect([status, (body as { errorCode?: string }).errorCode]).to.deep.equal([400, "NO_QUOTES"]);
    });
  });

  describe("POST /price", () => {
    const price = async (change: object = {}) => {
      const answer = await post(network, "/price", { ...request(), ...change });
      return { ...answer, body: answer.body as { fees: unknown; details: Record<string, unknown> } };
    };

    for (const [name, change] of Object.entries({
      "an exact input": () => ({}),
      "a swap": () => ({ destinationCurrency: network.chains[1].contracts.tether }),
      "an exact output with calls and fees": () => ({
        tradeType: "EXACT_OUTPUT" as const,
        amount: "5000000",
        txs: [{ to: network.accounts.stranger.address, data: "0x", value: "0" }],
        appFees: [{ recipient: network.accounts.stranger.address, fee: "50" }],
      }),
      "a same-chain swap": () => ({
        destinationChainId: network.chains[0].id,
        destinationCurrency: network.chains[0].contracts.dollar,
      }),
    })) {
      it(`matches a quote for ${name}, and creates no request`, async () => {
        const quote = (await getQuote(client(), request(change()))) as Quote;
        const { total } = await readTotal();
        const { status, body } = await price(change());
        expect(status).to.equal(200);
        expectLive("POST /price 200", body);
        expect(missingFields("POST /price 200", body).filter((path) => !path.endsWith("minimumAmount"))).to.deep.equal(
          [],
        );
        expect(body.fees).to.deep.equal(quote.fees);
        const quoted: Record<string, unknown> = quote.details;
        expect(body.details).to.deep.equal(
          Object.fromEntries(Object.keys(body.details).map((field) => [field, quoted[field]])),
        );
        expect(await readTotal()).to.deep.equal({ total });
      });
    }

    for (const [name, change, errorCode, field] of [
      ["an unknown currency", { destinationCurrency: zeroAddress.replace("0x0", "0x1") }, "INVALID_OUTPUT_CURRENCY"],
      ["an unknown chain", { destinationChainId: 5 }, "UNSUPPORTED_CHAIN", "destinationChainId"],
      ["a field that only quotes have", { subsidizeFees: true }, "UNSUPPORTED_FIELD", "subsidizeFees"],
      ["a quote field that changes no price", { ttl: 60 }, "UNSUPPORTED_FIELD", "ttl"],
      ["an unknown field", { useReceiver: true }, "UNSUPPORTED_FIELD", "useReceiver"],
      ["an unsupported value", { useFallbacks: true }, "UNSUPPORTED_FIELD", "useFallbacks"],
      ["an amount below the fees", { amount: "1" }, "AMOUNT_TOO_LOW", "amount"],
    ] as const) {
      it(`rejects ${name} as a quote does`, async () => {
        const { status, body } = await price(change);
        expect(status).to.equal(400);
        expectLive("POST /price 400", body);
        expect(body).to.include({ errorCode, ...(field === undefined ? {} : { field }) });
      });
    }

    const readTotal = async () => {
      const { body } = await get(network, "/requests/v3?includeTotal=true&limit=1", { "x-api-key": network.apiKey });
      return { total: (body as { total: number }).total };
    };
  });

  it("reject fields that have no effect in a strict network, by name", async () => {
    const call = { to: network.accounts.stranger.address, data: "0x", value: "0", originalTxValue: "1" };
    for (const [change, field] of [
      [{ useReceiver: true }, "useReceiver"],
      [{ referrerAddress: call.to }, "referrerAddress"],
      [{ txs: [call] }, "txs[0].originalTxValue"],
    ] as const) {
      for (const path of ["/quote", "/quote/v2", "/execute/swap"]) {
        const { status, body } = await post(network, path, { ...request(), ...change });
        expect(status).to.equal(400);
        expect(body).to.include({ errorCode: "UNSUPPORTED_FIELD", field });
      }
    }
  });

  describe("POST /execute/swap", () => {
    it("returns a version 2 quote with balances, and its request can be executed", async () => {
      const { status, body } = await post(network, "/execute/swap", request(), { "x-api-key": network.apiKey });
      expect(status).to.equal(200);
      const { breakdown, balances, ...quote } = body as Quote & { breakdown: unknown; balances: unknown };
      expectLive("POST /quote/v2 200", quote);
      const { details } = (await getQuote(client(), request())) as Quote;
      expect(quote.details).to.deep.equal(details);
      expect(breakdown).to.deep.equal([{ value: details.currencyOut.amount, timeEstimate: details.timeEstimate }]);
      expect(balances).to.deep.equal({ userBalance: details.userBalance, requiredToSolve: details.currencyIn.amount });
      expect((await read(`/intents/status/v3?requestId=${idOf(quote)}`)).status).to.equal("waiting");
    });
  });

  describe("POST /execute/swap/multi-input", () => {
    const swap = async (change: object = {}) => {
      const { originChainId: chainId, originCurrency: currency, amount, ...common } = request();
      const answer = await post(network, "/execute/swap/multi-input", {
        ...common,
        origins: [{ chainId, currency, amount }],
        partial: true,
        ...change,
      });
      return { ...answer, body: answer.body as Quote & { field?: string; errorCode?: string } };
    };
    const origin = (change: object = {}) => ({
      chainId: 31_337,
      currency: zeroAddress,
      amount: "0xde0b6b3a7640000",
      ...change,
    });

    it("quotes a single input", async () => {
      const { status, body } = await swap();
      expect(status).to.equal(200);
      const { details } = (await getQuote(client(), request())) as Quote;
      expect(body.details).to.deep.equal(details);
      expect((await swap({ origins: [origin()] })).body.details).to.deep.equal(details);
    });

    it("quotes an exact output, and a deposit by another user", async () => {
      const exact = (await swap({ tradeType: "EXACT_OUTPUT", amount: "2000000" })).body;
      expect(exact.details.currencyOut.amount).to.equal("2000000");
      const user = network.accounts.stranger.address;
      const { sender, recipient } = (await swap({ origins: [origin({ user })] })).body.details;
      expect([sender, recipient]).to.deep.equal([user, network.accounts.user.address]);
    });

    it("rejects invalid inputs and unknown fields, and partial deposits of several inputs", async () => {
      for (const [change, errorCode, field] of [
        [{ origins: [origin(), origin({ chainId: 31_338 })] }, "UNSUPPORTED_FIELD", "partial"],
        [{ origins: [] }, "INVALID_REQUEST", "origins"],
        [{ origins: [origin({ amount: -1 })] }, "INVALID_REQUEST", "origins[0].amount"],
        [{ origins: [origin({ amount: 2 ** 60 })] }, "INVALID_REQUEST", "origins[0].amount"],
        [{ tradeType: "EXACT_OUTPUT" }, "INVALID_REQUEST", "amount"],
        [{ useReceiver: true }, "UNSUPPORTED_FIELD", "useReceiver"],
      ] as const) {
        const { status, body } = await swap(change);
        expect([status, body.errorCode, body.field]).to.deep.equal([400, errorCode, field]);
      }
    });
  });

  describe("GET /transactions/status", () => {
    it("returns the status of the request that a transaction on either chain belongs to", async () => {
      const { inTxHashes, txHashes } = await read(`/intents/status/v3?requestId=${ends.success}`);
      for (const hash of [(inTxHashes as string[])[0], (txHashes as string[])[0]?.toUpperCase().replace("0X", "0x")]) {
        for (const query of ["", "&chainId=31337", "&chainId=31338"]) {
          expect((await get(network, `/transactions/status?hash=${hash}${query}`)).body).to.deep.equal({
            status: "success",
          });
        }
        expect(await get(network, `/transactions/status?hash=${hash}&chainId=5`)).to.deep.equal({
          status: 404,
          body: { status: "unknown" },
        });
      }
      const missing = await get(network, "/transactions/status");
      expect(missing.status).to.equal(400);
      expect(missing.body).to.include({ field: "hash" });
    });
  });

  describe("GET /intents/status", () => {
    it("returns the statuses that each version defines", async () => {
      for (const [end, first] of [
        ["success", "success"],
        ["refund", "fallback"],
        ["waiting", "pending"],
      ] as const) {
        const query = `?requestId=${ends[end]}&referrer=app`;
        const [v1, v2, v3] = [
          await read(`/intents/status${query}`),
          await read(`/intents/status/v2${query}`),
          await read(`/intents/status/v3${query}`),
        ];
        expect([v1.status, v2.status, v3.status]).to.deep.equal([first, end, end]);
        const { status: _, updatedAt: time, failReason: _reason, refundFailReason: _refund, ...rest } = v3;
        expect(v2).to.deep.equal({ ...rest, time, status: end });
        const { quoteCreatedAt: __, ...older } = rest;
        expect(v1).to.deep.equal({ ...older, time, status: first });
      }
      const unknown = await get(network, `/intents/status/v2?requestId=0x${"1".repeat(64)}`);
      expect(unknown.status).to.equal(404);
    });

    it("includes reasons in v3 from the day when the live service added them", async () => {
      const reasonsOf = async (end: string) => {
        const { failReason, refundFailReason } = await read(`/intents/status/v3?requestId=${ends[end]}`);
        return { failReason, refundFailReason };
      };
      const none = { failReason: "N/A", refundFailReason: "N/A" };
      expect(await reasonsOf("success")).to.deep.equal(none);
      expect(await reasonsOf("waiting")).to.deep.equal(none);
      const { body } = await get(network, `/requests/v2?id=${ends.refund}`);
      const [record] = (body as { requests: { data: Record<string, unknown> }[] }).requests;
      const { failReason, refundFailReason } = record?.data ?? {};
      expect(failReason).to.not.equal("N/A");
      expect(await reasonsOf("refund")).to.deep.equal({ failReason, refundFailReason });
      network.clock.set(Date.parse("2026-08-06T23:59:59Z"));
      expect(await reasonsOf("refund")).to.deep.equal({ failReason: undefined, refundFailReason: undefined });
      network.clock.reset();
    });

    it("finds a request by its id in any letter case", async () => {
      const upper = `0x${ends.success?.slice(2).toUpperCase()}`;
      expect(await read(`/intents/status/v3?requestId=${upper}`)).to.deep.equal(
        await read(`/intents/status/v3?requestId=${ends.success}`),
      );
    });
  });

  describe("GET /requests", () => {
    interface Page {
      readonly requests: readonly { readonly id: string; readonly status: string; readonly data: object }[];
      readonly continuation?: string;
    }
    const list = (query: string) => read(`/requests${query}`) as unknown as Promise<Page>;

    it("lists requests with version 1 fields", async () => {
      const page = await list(`?id=${ends.success}`);
      // The amounts of a filled request have no minimum.
      expect(missingFields("GET /requests 200", page)).to.deep.equal([
        "requests.data.metadata.currencyIn.minimumAmount",
        "requests.data.metadata.currencyOut.minimumAmount",
        "continuation",
      ]);
      const [record] = page.requests;
      expect(record?.status).to.equal("success");
      const { body } = await get(network, `/requests/v2?id=${ends.success}`);
      const [second] = (body as { requests: { data: Record<string, unknown> }[] }).requests;
      expect(record?.data).to.deep.include({ price: second?.data.price, currency: "eth", feeCurrency: "eth" });
      expect((await list(`?id=${ends.refund}`)).requests[0]?.status).to.equal("fallback");
      expect((await list(`?id=${ends.waiting}`)).requests[0]?.status).to.equal("pending");
    });

    it("filters and paginates with a limit given as text", async () => {
      const user = network.accounts.user.address;
      const all = (await list(`?user=${user}&limit=50&referrer=app`)).requests.map(({ id }) => id);
      const first = await list(`?user=${user}&limit=1`);
      const next = await list(`?user=${user}&limit=1&continuation=${first.continuation}`);
      expect([...first.requests, ...next.requests].map(({ id }) => id)).to.deep.equal(all.slice(0, 2));
      expect((await list(`?user=${network.accounts.deployer.address}`)).requests).to.deep.equal([]);
      expect((await list(`?originChainId=${network.chains[1].id}`)).requests).to.deep.equal([]);
    });
  });
});
