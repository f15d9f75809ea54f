import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect } from "chai";

import type { RequestStatus } from "../../packages/protocol/src/index.ts";
import { createLog } from "../../packages/crosscall/src/localnet/log.ts";
import { createSettableClock } from "../../packages/crosscall/src/localnet/service/sharedClock.ts";
import {
  type DeliveryParts,
  startWebhooks,
} from "../../packages/crosscall/src/localnet/service/webhooks/deliverEvents.ts";
import { createSecretBox, sealWebhook } from "../../packages/crosscall/src/localnet/service/webhooks/secretBox.ts";
import {
  checkWebhookOptions,
  type WebhookOptions,
} from "../../packages/crosscall/src/localnet/service/webhooks/settings.ts";
import { hashApiKey } from "../../packages/crosscall/src/localnet/store/hashApiKey.ts";
import { insertApiKey } from "../../packages/crosscall/src/localnet/store/keys.ts";
import { insertRequest } from "../../packages/crosscall/src/localnet/store/requests/requests.ts";
import { transition } from "../../packages/crosscall/src/localnet/store/requests/transitions.ts";
import { openStore, type Store } from "../../packages/crosscall/src/localnet/store/store.ts";
import { listDeliveries, removeWebhook, setWebhook } from "../../packages/crosscall/src/localnet/store/webhooks.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { until } from "../support/until.ts";
import { startProgram, stopPrograms } from "./support/processes.ts";
import { newOrder, newRequest } from "./support/storeRows.ts";
import { type Misbehavior, startReceiver, type WebhookReceiver } from "./support/webhookReceiver.ts";
import { serve } from "../support/httpServer.ts";

const API_KEY = "ck_webhooks";
const KEY_HASH = hashApiKey(API_KEY);
const AT = new Date(1_800_000_000_000);

const clock = createSettableClock({ now: () => AT.getTime() });
const secretBox = createSecretBox("admin", () => crypto.getRandomValues(new Uint8Array(32)));

const contextOf = (store: Store, options: WebhookOptions = {}): DeliveryParts => ({
  store,
  clock,
  log: createLog("silent"),
  webhooks: { ...checkWebhookOptions({ firstRetryMs: 0, timeoutMs: 5_000, ...options }), secretBox },
});
let requests = 0;
const setUrl = (store: Store, url: string, headers: Record<string, string> = {}, secret = secretBox) =>
  setWebhook(store.db, {
    key_hash: KEY_HASH,
    url,
    header_names: Object.keys(headers),
    sealed: sealWebhook(secret, KEY_HASH, { apiKey: API_KEY, headers }),
    created_at: AT,
  });
const addRequest = async (store: Store, apiKeyHash: string | null = KEY_HASH): Promise<string> => {
  const id = `request-${(requests += 1)}`;
  await insertRequest(store.db, newRequest(id, { api_key_hash: apiKeyHash }), newOrder());
  return id;
};
const move = async (store: Store, requestId: string, ...steps: RequestStatus[]): Promise<void> => {
  let from: RequestStatus = "waiting";
  for (const to of steps) {
    expect(await transition(store.db, { requestId, from: [from], to, at: AT })).to.equal(true);
    from = to;
  }
};
const outcomes = async (store: Store, requestId: string) =>
  (await listDeliveries(store.db, { requestId, limit: 50 }))
    .toReversed()
    .map(({ status, state, attempts, answer_status }) => [status, state, attempts, answer_status]);
const untilDone = async (store: Store, requestId: string): Promise<void> => {
  await until(async () => (await listDeliveries(store.db, { requestId, state: "pending", limit: 1 })).length === 0);
};

describe("the delivery of webhooks", () => {
  let store: Store;
  let receiver: WebhookReceiver;
  let delivery: { close(): Promise<void> };

  before(async () => {
    store = await openStore({ onError: (error) => expect.fail(error.message) });
    await insertApiKey(store.db, { apiKey: API_KEY, integrator: "shop", label: "", limits: {}, createdAt: AT });
    delivery = await startWebhooks(contextOf(store));
  });
  beforeEach(async () => {
    receiver = await startReceiver(API_KEY, () => clock.now());
    await setUrl(store, receiver.url);
  });
  afterEach(() => receiver.close());
  after(async () => {
    await delivery.close();
    await store.close();
    await stopPrograms();
  });

  it("reports each status in order, signed, with the webhook's headers", async () => {
    await setUrl(store, receiver.url, { authorization: "Bearer token", "x-tenant": "7" });
    const id = await addRequest(store);
    await move(store, id, "depositing", "pending", "submitted", "success");
    await receiver.until(() => receiver.events.length === 4);
    expect(receiver.errors).to.deep.equal([]);
    expect(receiver.events.map(({ data }) => data.status)).to.deep.equal([
      "depositing",
      "pending",
      "submitted",
      "success",
    ]);
    expect(receiver.events[3]).to.deep.equal({
      event: "request.status.updated",
      timestamp: AT.getTime(),
      data: {
        requestId: id,
        status: "success",
        inTxHashes: [],
        txHashes: [],
        updatedAt: AT.getTime(),
        originChainId: 31_337,
        destinationChainId: 31_338,
        depositAddress: null,
        referrer: null,
        details: null,
        failReason: "N/A",
        refundFailReason: "N/A",
      },
    });
    for (const headers of receiver.calls) {
      expect(headers).to.include({
        authorization: "Bearer token",
        "x-tenant": "7",
        "content-type": "application/json",
      });
    }
    await untilDone(store, id);
    expect((await outcomes(store, id)).map(([, ...rest]) => rest)).to.deep.equal(Array(4).fill(["delivered", 1, 200]));
  });

  it("writes no event for a key without a webhook, a request without a key, or a change that is rolled back", async () => {
    const [mine, others, withoutOwner] = [
      await addRequest(store),
      await addRequest(store, hashApiKey("another")),
      await addRequest(store, null),
    ];
    await move(store, others, "pending");
    await move(store, withoutOwner, "pending");
    await store.db
      .transaction()
      .execute(async (db) => {
        await transition(db, { requestId: mine, from: ["waiting"], to: "pending", at: AT });
        throw new Error("roll back");
      })
      .catch(() => undefined);
    expect([
      await outcomes(store, mine),
      await outcomes(store, others),
      await outcomes(store, withoutOwner),
    ]).to.deep.equal([[], [], []]);
  });

  it("retries failed events, and delivers them in order", async () => {
    const fail = (status: number) => (_request: IncomingMessage, response: ServerResponse) =>
      response.writeHead(status).end();
    receiver.misbehave(fail(500), fail(404), fail(503));
    const id = await addRequest(store);
    await move(store, id, "pending", "submitted");
    await receiver.until(() => receiver.events.length === 2);
    expect(receiver.events.map(({ data }) => data.status)).to.deep.equal(["pending", "submitted"]);
    await untilDone(store, id);
    expect(await outcomes(store, id)).to.deep.equal([
      ["pending", "delivered", 4, 200],
      ["submitted", "delivered", 1, 200],
    ]);
  });

  it("retries with the same body, even if the request has changed since", async () => {
    const bodies: string[] = [];
    receiver.misbehave((request, response) => {
      request.on("data", (chunk: Buffer) => bodies.push(chunk.toString()));
      request.on("end", () => {
        void transition(store.db, {
          requestId: id,
          from: ["pending"],
          to: "pending",
          at: new Date(AT.getTime() + 1),
          set: { fail_reason: "SLIPPAGE" },
        }).then(() => response.writeHead(500).end());
      });
    });
    const id = await addRequest(store);
    await move(store, id, "pending");
    await receiver.until(() => receiver.events.length === 2);
    expect(JSON.parse(bodies.join(""))).to.deep.equal(receiver.events[0]);
    expect(receiver.events.map(({ data }) => data.details)).to.deep.equal([null, "SLIPPAGE"]);
  });

  it("gives up after ten retries, and continues with the next event", async () => {
    const id = await addRequest(store);
    receiver.misbehave(
      ...Array<Misbehavior>(11).fill((_request: IncomingMessage, response: ServerResponse) =>
        response.writeHead(500).end(),
      ),
    );
    await move(store, id, "pending", "submitted");
    await receiver.until(() => receiver.events.length === 1);
    expect(receiver.events[0]?.data.status).to.equal("submitted");
    await untilDone(store, id);
    expect(await outcomes(store, id)).to.deep.equal([
      ["pending", "undelivered", 11, 500],
      ["submitted", "delivered", 1, 200],
    ]);
  });

  it("treats late responses, redirects and broken connections as failures", async () => {
    let followed = 0;
    const elsewhere = await serve((_request, response) => {
      followed += 1;
      response.end();
    });
    receiver.misbehave(
      () => undefined,
      (_request, response) => response.writeHead(302, { location: elsewhere.url }).end(),
      (request) => request.socket.destroy(),
      // Success headers followed by an endless body count as delivered.
      (request, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write("x".repeat(65_536)), 1);
        request.socket.on("close", () => clearInterval(timer));
      },
    );
    const id = await addRequest(store);
    await move(store, id, "pending");
    await untilDone(store, id);
    expect(await outcomes(store, id)).to.deep.equal([["pending", "delivered", 4, 200]]);
    expect(followed).to.equal(0);
    await elsewhere.close();
  });

  it("succeeds when a receiver that was down is up again", async () => {
    const { url } = receiver;
    await receiver.close();
    const id = await addRequest(store);
    await delivery.close();
    delivery = await startWebhooks(contextOf(store, { firstRetryMs: 300 }));
    await move(store, id, "pending");
    const found = await until(async () => {
      const [delivery] = await listDeliveries(store.db, { requestId: id, limit: 1 });
      return delivery?.problem != null && delivery;
    });
    expect([found.state, found.answer_status, found.problem]).to.deep.equal([
      "pending",
      null,
      "connection failed: ECONNREFUSED",
    ]);
    receiver = await startReceiver(API_KEY, () => clock.now());
    await setUrl(store, receiver.url);
    expect(receiver.url).to.not.equal(url);
    await receiver.until(() => receiver.events.length === 1);
    await untilDone(store, id);
    await delivery.close();
    delivery = await startWebhooks(contextOf(store));
  });

  it("stops immediately when the webhook is removed, and waits while its key cannot be read", async () => {
    receiver.misbehave((_request, response) => {
      void removeWebhook(store.db, KEY_HASH).then(() => response.writeHead(500).end());
    });
    const id = await addRequest(store);
    await move(store, id, "pending");
    await untilDone(store, id);
    expect(await outcomes(store, id)).to.deep.equal([["pending", "undelivered", 2, null]]);

    await setUrl(
      store,
      receiver.url,
      {},
      createSecretBox("another admin", () => new Uint8Array(32)),
    );
    const other = await addRequest(store);
    await move(store, other, "pending");
    await untilDone(store, other);
    expect(await outcomes(store, other)).to.deep.equal([["pending", "undelivered", 11, null]]);
  });

  it("does not send to addresses that are no longer allowed", async () => {
    await setUrl(store, "http://169.254.169.254/latest/meta-data");
    const id = await addRequest(store);
    await move(store, id, "pending");
    await untilDone(store, id);
    const [found] = await listDeliveries(store.db, { requestId: id, limit: 1 });
    expect([found?.state, found?.problem]).to.deep.equal([
      "undelivered",
      "169.254.169.254 is neither on loopback nor an allowed host",
    ]);
  });

  it("continues in the next process after a process is killed", async () => {
    const folder = await mkdtemp(join(tmpdir(), "crosscall-webhooks-"));
    const reached = Promise.withResolvers<unknown>();
    // The first attempt never receives a response, because its process is killed.
    receiver.misbehave(() => reached.resolve(undefined));
    const program = await startProgram(
      process.execPath,
      [fileURLToPath(new URL("./support/deliverAndHang.ts", import.meta.url)), folder, receiver.url],
      (line) => (line === "up" ? true : undefined),
    );
    await reached.promise;
    await program.stop("SIGKILL");

    const second = await openStore({ folder, onError: (error) => expect.fail(error.message) });
    const resumed = await startWebhooks(contextOf(second));
    await receiver.until(() => receiver.events.length === 2);
    expect(receiver.events.map(({ data }) => data.status)).to.deep.equal(["pending", "submitted"]);
    await resumed.close();
    await second.close();
    await rm(folder, { recursive: true });
  });
});

describe("the delivery of webhooks by two processes that share a database", () => {
  const stores: Store[] = [];
  let receiver: WebhookReceiver;

  before(async () => {
    const url = await newPostgresDatabase();
    for (let process = 0; process < 2; process++) {
      stores.push(await openStore({ url, onError: (error) => expect.fail(error.message) }));
    }
    receiver = await startReceiver(API_KEY, () => clock.now());
  });
  after(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await receiver.close();
  });

  it("keeps the order of each request's events", async () => {
    const [store] = stores;
    if (store === undefined) throw new Error("no store");
    await insertApiKey(store.db, { apiKey: API_KEY, integrator: "shop", label: "", limits: {}, createdAt: AT });
    await setUrl(store, receiver.url);
    const deliveries = await Promise.all(stores.map((each) => startWebhooks(contextOf(each))));
    const steps = ["depositing", "pending", "submitted", "success"] as const;
    const ids = await Promise.all(Array.from({ length: 15 }, () => addRequest(store)));
    let turn = 0;
    // Fewer than the attempts of an event, because one event can get all of them.
    receiver.misbehave(
      ...Array.from(
        { length: 10 },
        () => (_request: IncomingMessage, response: ServerResponse) =>
          response.writeHead((turn += 1) % 2 === 0 ? 500 : 429).end(),
      ),
    );
    await Promise.all(ids.map((id) => move(store, id, ...steps)));
    await receiver.until(() => receiver.events.length === ids.length * steps.length);
    for (const id of ids) {
      const reported = receiver.events.filter(({ data }) => data.requestId === id).map(({ data }) => data.status);
      expect(reported).to.deep.equal([...steps]);
    }
    // An event that is not recorded as delivered when its process stops is sent again.
    for (const id of ids) await untilDone(store, id);
    await Promise.all(deliveries.map((delivery) => delivery.close()));
  });
});
