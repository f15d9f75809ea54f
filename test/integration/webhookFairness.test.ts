import type { ServerResponse } from "node:http";

import { expect } from "chai";

import { createLog } from "../../packages/crosscall/src/localnet/log.ts";
import { createSettableClock } from "../../packages/crosscall/src/localnet/service/sharedClock.ts";
import { startWebhooks } from "../../packages/crosscall/src/localnet/service/webhooks/deliverEvents.ts";
import { createSecretBox, sealWebhook } from "../../packages/crosscall/src/localnet/service/webhooks/secretBox.ts";
import { checkWebhookOptions } from "../../packages/crosscall/src/localnet/service/webhooks/settings.ts";
import { hashApiKey } from "../../packages/crosscall/src/localnet/store/hashApiKey.ts";
import { insertApiKey } from "../../packages/crosscall/src/localnet/store/keys.ts";
import { insertRequest } from "../../packages/crosscall/src/localnet/store/requests/requests.ts";
import { transition } from "../../packages/crosscall/src/localnet/store/requests/transitions.ts";
import type { Store } from "../../packages/crosscall/src/localnet/store/store.ts";
import {
  forgetSweeps,
  listDeliveries,
  setWebhook,
  takeDueDeliveries,
} from "../../packages/crosscall/src/localnet/store/webhooks.ts";
import { until } from "../support/until.ts";
import { onEachDatabase } from "./support/onEachDatabase.ts";
import { newOrder, newRequest } from "./support/storeRows.ts";
import { startReceiver, type WebhookReceiver } from "./support/webhookReceiver.ts";
import { serve } from "../support/httpServer.ts";

const AT = new Date(1_800_000_000_000);

/** Maximum number of concurrent deliveries for a key. */
const OF_KEY = 4;

/** Number of events, above the limit for concurrent deliveries for all keys. */
const REQUESTS = 80;

/** Receiver that holds its responses until a test releases them. */
interface HangingReceiver {
  readonly url: string;
  /** Requests that have no response yet. */
  readonly open: readonly ServerResponse[];
  /** Accepts all open and later requests. */
  release(): void;
  close(): Promise<void>;
}

onEachDatabase("webhooks of several keys", (openStore) => {
  const clock = createSettableClock({ now: () => AT.getTime() });
  const secretBox = createSecretBox("admin", () => crypto.getRandomValues(new Uint8Array(32)));
  let store: Store;
  let delivery: { close(): Promise<void> } | undefined;
  let hanging: HangingReceiver;
  let receiver: WebhookReceiver;

  before(async () => {
    store = await openStore();
    hanging = await startHangingReceiver();
    receiver = await startReceiver("other", () => clock.now());
    await addKey("slow", hanging.url);
    await addKey("other", receiver.url);
  });
  after(async () => {
    await hanging.close();
    await delivery?.close();
    await receiver.close();
    await store.close();
  });

  async function addKey(apiKey: string, url: string): Promise<void> {
    await insertApiKey(store.db, { apiKey, integrator: apiKey, label: "", limits: {}, createdAt: AT });
    const keyHash = hashApiKey(apiKey);
    const sealed = sealWebhook(secretBox, keyHash, { apiKey, headers: {} });
    await setWebhook(store.db, { key_hash: keyHash, url, header_names: [], sealed, created_at: AT });
  }

  async function addEvent(requestId: string, apiKey: string): Promise<void> {
    await insertRequest(store.db, newRequest(requestId, { api_key_hash: hashApiKey(apiKey) }), newOrder());
    await transition(store.db, { requestId, from: ["waiting"], to: "depositing", at: AT });
  }

  it("are each swept once per start", async () => {
    const sweep = () => takeDueDeliveries(store.db, 1, 300_000);
    const [first, second] = [
      { requestId: "lost-1", keyHash: hashApiKey("slow") },
      { requestId: "lost-2", keyHash: hashApiKey("other") },
    ];
    await addEvent("lost-1", "slow");
    await addEvent("lost-2", "other");
    expect([await sweep(), await sweep(), await sweep()]).to.deep.equal([[first], [second], []]);
    await forgetSweeps(store.db);
    expect(await sweep()).to.deep.equal([first]);
    await store.db.deleteFrom("webhook_events").execute();
  });

  it("are not delayed by a hanging endpoint with more events than delivery slots", async () => {
    delivery = await startWebhooks({
      store,
      clock,
      log: createLog("silent"),
      // Timeout longer than the test.
      webhooks: { ...checkWebhookOptions({ firstRetryMs: 0, timeoutMs: 1_000_000 }), secretBox },
    });
    for (let index = 0; index < REQUESTS; index += 1) await addEvent(`slow-${index}`, "slow");
    await until(() => hanging.open.length === OF_KEY);
    await addEvent("other-1", "other");
    await receiver.until(() => receiver.events.length === 1);
    // All of the key's slots still hang, so its other events wait.
    expect(hanging.open).to.have.length(OF_KEY);
    await until(async () => (await listDeliveries(store.db, { state: "delivered", limit: 500 })).length === 1);
    expect(await listDeliveries(store.db, { state: "pending", limit: 500 })).to.have.length(REQUESTS);
    await addEvent("other-2", "other");
    await receiver.until(() => receiver.events.length === 2);
    expect(receiver.events.map(({ data }) => data.requestId)).to.deep.equal(["other-1", "other-2"]);
    expect(hanging.open).to.have.length(OF_KEY);

    hanging.release();
    await until(async () => (await listDeliveries(store.db, { state: "pending", limit: 1 })).length === 0);
    const delivered = await listDeliveries(store.db, { state: "delivered", limit: 500 });
    expect(delivered).to.have.length(REQUESTS + 2);
    expect(delivered.every(({ attempts }) => attempts === 1)).to.equal(true);
  });
});

async function startHangingReceiver(): Promise<HangingReceiver> {
  let open: ServerResponse[] = [];
  let isReleased = false;
  const server = await serve((_request, response) => {
    if (isReleased) response.end();
    else open.push(response);
  });
  return {
    url: `${server.url}/webhook`,
    get open() {
      return open;
    },
    release() {
      isReleased = true;
      for (const response of open) response.end();
      open = [];
    },
    close: server.close,
  };
}
