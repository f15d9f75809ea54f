import { expect } from "chai";
import { zeroAddress } from "viem";

import { createServiceClient } from "../../packages/sdk/src/client/client.ts";
import { getQuote } from "../../packages/sdk/src/client/getQuote.ts";
import { getStatus } from "../../packages/sdk/src/client/getStatus.ts";
import { listRequests } from "../../packages/sdk/src/index.ts";
import { LOCAL_API_KEY } from "../../packages/crosscall/src/localnet/index.ts";
import { openKeyRing } from "../../packages/crosscall/src/localnet/service/keys/keyRing.ts";
import { insertApiKey } from "../../packages/crosscall/src/localnet/store/keys.ts";
import { hashApiKey } from "../../packages/crosscall/src/localnet/store/hashApiKey.ts";
import { openStore } from "../../packages/crosscall/src/localnet/store/store.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { virtualTimer } from "../unit/sdk/client/virtualTimer.ts";
import { callAdmin } from "./support/adminCalls.ts";
import { failureOf } from "./support/failureOf.ts";
import { get, post } from "./support/serviceCalls.ts";
import { etherRequest } from "./support/requests.ts";

interface AddedKey {
  readonly apiKey: string;
  readonly key: Record<string, unknown> & { readonly id: string };
}

const UNAUTHORIZED = { errorCode: "UNAUTHORIZED" };

describe("the service's API keys", () => {
  const network = useNetwork({ keys: [{ apiKey: "given", integrator: "partner", limits: { other: 3 } }] });

  const addKey = async (body: unknown = {}): Promise<AddedKey> =>
    (await callAdmin(network, "POST", "/admin/keys", body)).body as AddedKey;
  const removeKey = (id: string) => callAdmin(network, "DELETE", `/admin/keys/${id}`);
  const listingWith = async (apiKey: string) => (await get(network, "/requests/v3", { "x-api-key": apiKey })).status;
  const quoteRequest = () => etherRequest(network, { destinationCurrency: zeroAddress });

  it("are the configured keys at first", async () => {
    const { body } = await callAdmin(network, "GET", "/admin/keys");
    const { keys } = body as { keys: Record<string, unknown>[] };
    expect(
      keys.map(({ integrator, limits, sponsorBalance, revokedAt }) => ({
        integrator,
        limits,
        sponsorBalance,
        revokedAt,
      })),
    ).to.have.deep.members([
      { integrator: "local", limits: {}, sponsorBalance: null, revokedAt: null },
      { integrator: "partner", limits: { other: 3 }, sponsorBalance: null, revokedAt: null },
    ]);
    expect(JSON.stringify(body)).to.not.include(LOCAL_API_KEY).and.not.include('given"');
  });

  it("work as soon as they are added, are shown once, and stop working when revoked", async () => {
    const { apiKey, key } = await addKey({
      label: "shop",
      limits: { quote: 7, listing: false },
      sponsorBalance: "5000000",
    });
    expect(apiKey).to.match(/^ck_[0-9a-f]{64}$/u);
    expect(key).to.deep.equal({
      id: key.id,
      integrator: "local",
      label: "shop",
      limits: { quote: 7, listing: false },
      sponsorBalance: "5000000",
      createdAt: key.createdAt,
      revokedAt: null,
    });
    expect(await listingWith(apiKey)).to.equal(200);
    const listed = await callAdmin(network, "GET", "/admin/keys");
    expect(JSON.stringify(listed.body)).to.include(key.id).and.not.include(apiKey);

    const revoked = await removeKey(key.id);
    expect(revoked.status).to.equal(200);
    expect((revoked.body as AddedKey).key.revokedAt).to.be.a("string");
    expect(await listingWith(apiKey)).to.equal(401);
    // Revoking the key again has no effect, and the key cannot be added again.
    expect((await removeKey(key.id)).body).to.deep.equal(revoked.body);
    expect((await callAdmin(network, "POST", "/admin/keys", { apiKey })).status).to.equal(400);
    expect(await listingWith(apiKey)).to.equal(401);
  });

  it("are rejected on every route if they are revoked or unknown", async () => {
    const { apiKey, key } = await addKey();
    await removeKey(key.id);
    // Version 2 of the listing is available until the end of August.
    network.clock.set(Date.UTC(2026, 7, 1));
    for (const wrong of [apiKey, "another"]) {
      const headers = { "x-api-key": wrong };
      for (const path of ["/requests/v3", "/requests/v2", "/chains", "/intents/status/v3?requestId=0x1"]) {
        const { status, body } = await get(network, path, headers);
        expect([path, status]).to.deep.equal([path, 401]);
        expect(body).to.include(UNAUTHORIZED);
      }
      const client = createServiceClient({ baseUrl: network.url, apiKey: wrong });
      expect(await failureOf(getQuote(client, quoteRequest()))).to.include({
        status: 401,
        errorCode: "UNAUTHORIZED_QUOTE",
      });
      expect((await get(network, "/lives", headers)).status).to.equal(200);
    }
    network.clock.reset();
  });

  it("give access to requests made with any of the integrator's keys, including revoked keys", async () => {
    const [first, second, foreign] = [
      await addKey({ integrator: "shop" }),
      await addKey({ integrator: "shop" }),
      await addKey({ integrator: "rival" }),
    ];
    await getQuote(createServiceClient({ baseUrl: network.url, apiKey: first.apiKey }), quoteRequest());
    await removeKey(first.key.id);
    const listing = (caller: AddedKey) =>
      listRequests(createServiceClient({ baseUrl: network.url, apiKey: caller.apiKey }), { apiKey: [first.apiKey] });
    expect((await listing(second)).requests).to.have.length(1);
    expect(await failureOf(listing(foreign))).to.include({ status: 403 });
  });

  it("can be changed only with the admin key, and are validated", async () => {
    for (const [method, path] of [
      ["GET", "/admin/keys"],
      ["POST", "/admin/keys"],
      ["DELETE", "/admin/keys/0"],
    ] as const) {
      for (const key of ["", "wrong", LOCAL_API_KEY]) {
        const response = await fetch(`${network.url}${path}`, { method, headers: { "x-admin-key": key } });
        expect([path, response.status]).to.deep.equal([path, 401]);
      }
    }
    for (const [body, field] of [
      [{ apiKey: LOCAL_API_KEY }, "apiKey"],
      [{ apiKey: network.adminKey }, "apiKey"],
      [{ apiKey: "a b" }, "apiKey"],
      [{ apiKey: "" }, "apiKey"],
      [{ label: "" }, "label"],
      [{ limits: { quote: -1 } }, "limits.quote"],
      [{ limits: { quote: true } }, "limits.quote"],
      [{ limits: { v2: 5 } }, "limits.v2"],
      [{ sponsorBalance: "-1" }, "sponsorBalance"],
      [{ admin: true }, "admin"],
    ] as const) {
      const answer = await callAdmin(network, "POST", "/admin/keys", body);
      expect(answer.status).to.equal(400);
      expect(answer.body).to.have.property("field", field);
    }
    expect((await removeKey("nothing")).status).to.equal(404);
  });

  it("have their own limits if specified", async () => {
    const statuses = [];
    for (let call = 0; call < 5; call++) {
      statuses.push((await get(network, "/chains", { "x-api-key": "given" })).status);
    }
    // The rate limit's minute can end between these requests.
    expect(statuses.filter((status) => status === 429)).to.not.have.length(0);
    expect((await get(network, "/chains")).status).to.equal(200);
    expect((await get(network, "/chains", { "x-api-key": LOCAL_API_KEY })).status).to.equal(200);
  });

  it("take effect within a second in another process that uses the same database", async () => {
    const store = await openStore({ onError: (error) => expect.fail(error.message) });
    try {
      const timer = virtualTimer();
      const ring = openKeyRing(store.db, timer);
      const key = { apiKey: "k", integrator: "i", label: "", limits: {} };
      expect(await ring.find("k")).to.equal(undefined);
      expect(await insertApiKey(store.db, { ...key, createdAt: new Date(0) })).to.equal(true);
      expect(await insertApiKey(store.db, { ...key, createdAt: new Date(1) })).to.equal(false);
      expect(await ring.find("k")).to.deep.equal({
        keyHash: hashApiKey("k"),
        integrator: "i",
        limits: {},
        ownKeyHashes: new Set([hashApiKey("k")]),
        ownKeyNames: new Map(),
      });
      // Changes the database directly, as another process would, so this key ring is not notified.
      await store.db
        .updateTable("api_keys")
        .set({ revoked_at: new Date(5) })
        .execute();
      expect(await ring.find("k")).to.not.equal(undefined);
      await timer.advance(1_000);
      expect(await ring.find("k")).to.equal(undefined);
      // A revoked key still owns its quotes, which the integrator's other keys can read.
      await insertApiKey(store.db, { ...key, apiKey: "next", createdAt: new Date(6) });
      expect((await ring.find("next"))?.ownKeyHashes).to.deep.equal(new Set([hashApiKey("k"), hashApiKey("next")]));
    } finally {
      await store.close();
    }
  });
});

describe("the service's rate limits", () => {
  const START = Date.parse("2026-08-15T12:00:00Z");
  const timer = virtualTimer(START);
  const network = useNetwork({ limits: "documented", clock: timer, apiKeys: ["a", "b"] });

  beforeEach(() => timer.advance(60_000 - (timer.now() % 60_000)));

  const callMany = async (count: number, path: string, headers: Record<string, string> = {}) => {
    const answers = [];
    for (let call = 0; call < count; call++) answers.push(await fetch(`${network.url}${path}`, { headers }));
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    return answers.map(({ status }) => status);
  };

  it("are 200 requests a minute for a key", async () => {
    const headers = { "x-api-key": "a" };
    expect(new Set(await callMany(200, "/chains", headers))).to.deep.equal(new Set([200]));
    await timer.advance(45_300);
    const response = await fetch(`${network.url}/chains`, { headers });
    expect([response.status, response.headers.get("retry-after")]).to.deep.equal([429, "15"]);
    expect(await response.json()).to.have.all.keys("message");

    // Another key, an IP address without a key, and routes without a limit still work.
    expect(await callMany(1, "/chains", { "x-api-key": "b" })).to.deep.equal([200]);
    expect(await callMany(1, "/chains")).to.deep.equal([200]);
    expect(await callMany(201, "/lives")).to.not.include(429);
    await timer.advance(14_700);
    expect(await callMany(1, "/chains", headers)).to.deep.equal([200]);
  });

  it("are 10 requests a second each for a key's quotes, v3 listing and transaction statuses", async () => {
    const headers = { "x-api-key": "a" };
    const quote = () => fetch(`${network.url}/quote/v2`, { method: "POST", headers, body: "{}" });
    const listing = () => fetch(`${network.url}/requests/v3`, { headers });
    const status = () => fetch(`${network.url}/transactions/status?hash=0x1`, { headers });
    await timer.advance(700);
    for (const [call, admitted] of [
      [quote, 415],
      [listing, 200],
      [status, 404],
    ] as const) {
      for (let second = 0; second < 7; second++) {
        for (let count = 0; count < 10; count++) expect((await call()).status).to.equal(admitted);
        const limited = await call();
        expect([limited.status, limited.headers.get("retry-after")]).to.deep.equal([429, "1"]);
        expect(await limited.json()).to.have.all.keys("message");
        await timer.advance(1_000);
      }
    }
    expect((await fetch(`${network.url}/requests/v3`, { headers: { "x-api-key": "b" } })).status).to.equal(200);
  });

  it("are 50 quotes a minute, even without a key; requests with a wrong key count against the IP address", async () => {
    const quote = async () => (await post(network, "/quote/v2", {})).status;
    for (let call = 0; call < 50; call++) expect(await quote()).to.equal(400);
    expect(await quote()).to.equal(429);
    expect(new Set(await callMany(200, "/chains", { "x-api-key": "guess" }))).to.deep.equal(new Set([401]));
    expect(await callMany(1, "/chains", { "x-api-key": "guess" })).to.deep.equal([429]);
    expect(await callMany(1, "/no/such/path")).to.deep.equal([429]);
  });

  it("are never reached by a client that applies the limits itself", async () => {
    let met = 0;
    const client = createServiceClient({
      baseUrl: network.url,
      apiKey: "a",
      timer,
      totalTimeoutMs: 600_000,
      fetch: async (...args) => {
        const response = await fetch(...args);
        if (response.status === 429) met += 1;
        return response;
      },
    });
    let done = 0;
    const calls = Array.from({ length: 450 }, () => listRequests(client, { limit: 1 }).then(() => (done += 1)));
    while (done < calls.length) await timer.advance(100);
    await Promise.all(calls);
    expect(met).to.equal(0);
  });

  it("reject a request with a Retry-After header, and accept requests again afterwards", async () => {
    await timer.advance(20_000);
    await callMany(200, "/intents/status/v3?requestId=0x1", { "x-api-key": "a" });
    const client = createServiceClient({ baseUrl: network.url, apiKey: "a", timer, random: () => 0 });
    const answer = failureOf(getStatus(client, { requestId: "0x1" }));
    const comesBackAt = timer.now() + 40_000;
    await timer.untilDueAt(comesBackAt);
    await timer.advance(40_000);
    expect(await answer).to.include({ status: 404, tries: 2 });
  });
});

describe("the service's clock", () => {
  const network = useNetwork({ clock: { now: () => START }, keepsRetired: false });
  const START = Date.parse("2026-08-15T12:00:00Z");

  afterEach(() => network.clock.reset());

  const setClock = (body: unknown) => callAdmin(network, "PUT", "/admin/clock", body);

  it("is set, moved and reset by its control route, and used by the service", async () => {
    const v2 = async () => (await get(network, "/requests/v2")).status;
    expect(await v2()).to.equal(200);
    const sunset = Date.parse("2026-11-24T00:00:00Z");
    expect(await setClock({ now: sunset })).to.deep.equal({
      status: 200,
      body: { now: sunset, offsetMs: sunset - START },
    });
    expect(await v2()).to.equal(410);
    expect((await setClock({ offsetMs: -5 })).body).to.deep.equal({ now: START - 5, offsetMs: -5 });
    expect(await v2()).to.equal(200);
    expect(network.clock.now()).to.equal(START - 5);
    network.clock.set(sunset);
    expect(await v2()).to.equal(410);
    expect((await setClock({ reset: true })).body).to.deep.equal({ now: START, offsetMs: 0 });
    expect((await callAdmin(network, "GET", "/admin/clock")).body).to.deep.equal({ now: START, offsetMs: 0 });
    expect(await v2()).to.equal(200);
  });

  it("accepts one setting at a time, and only valid dates", async () => {
    for (const body of [
      {},
      { now: 1, reset: true },
      { reset: false },
      { now: -1 },
      { now: 1.5 },
      { now: "1" },
      { now: 1e18 },
      { offsetMs: -START - 1 },
      { offsetMs: 253_402_300_799_999 },
      { then: 5 },
      null,
      [],
    ]) {
      const { status } = await setClock(body);
      expect([body, status]).to.deep.equal([body, 400]);
    }
    expect(network.clock.offsetMs).to.equal(0);
  });
});
