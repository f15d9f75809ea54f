import { expect } from "chai";
import { parseEther } from "viem";

import {
  createFastifyWebhook,
  createServiceClient,
  createWebhookHandler,
  executeSteps,
  getQuote,
} from "../../packages/sdk/src/index.ts";
import { fastify } from "fastify";
import { LOCAL_API_KEY } from "../../packages/crosscall/src/localnet/index.ts";
import type { StatusEvent } from "../../packages/protocol/src/index.ts";
import { callAdmin } from "./support/adminCalls.ts";
import { userWallet } from "./support/parties.ts";
import { startReceiver, type WebhookReceiver } from "./support/webhookReceiver.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { until } from "../support/until.ts";
import { etherRequest } from "./support/requests.ts";

describe("the webhooks of the service", () => {
  const network = useNetwork();
  let keyId: string;
  let receiver: WebhookReceiver;

  before(async () => {
    const { body } = await callAdmin(network, "GET", "/admin/keys");
    keyId = (body as { keys: { id: string }[] }).keys[0]?.id ?? "";
    receiver = await startReceiver(LOCAL_API_KEY, () => Date.now());
  });
  after(() => receiver.close());

  const set = (change: Record<string, unknown> = {}) =>
    callAdmin(network, "PUT", "/admin/webhooks", { apiKey: LOCAL_API_KEY, url: receiver.url, ...change });
  const sendOne = async (apiKey?: string) => {
    const client = createServiceClient({ baseUrl: network.url, ...(apiKey === undefined ? {} : { apiKey }) });
    const quote = await getQuote(
      client,
      etherRequest(network, { amount: parseEther("0.01").toString(), referrer: "shop" }),
    );
    return executeSteps(client, { quote, wallet: userWallet(network, network.chains[0]), pollIntervalMs: 25 });
  };

  it("reach only the integrator that made the request", async () => {
    const events: StatusEvent[] = [];
    const errors: unknown[] = [];
    const app = fastify({ forceCloseConnections: true });
    const handler = createWebhookHandler({
      apiKey: LOCAL_API_KEY,
      onEvent: (event) => void events.push(event),
      onError: (error) => errors.push(error),
    });
    await app.register(createFastifyWebhook(handler, { path: "/hook" }));
    await set({ url: `${await app.listen({ host: "127.0.0.1", port: 0 })}/hook` });

    await sendOne();
    const { requestId, status, transactions } = await sendOne(LOCAL_API_KEY);
    await until(() => events.at(-1)?.data.status === "success");
    expect(errors).to.deep.equal([]);
    expect(new Set(events.map(({ data }) => data.requestId))).to.deep.equal(new Set([requestId]));
    const statuses = events.map(({ data }) => data.status).filter((each) => each !== "depositing");
    expect(statuses).to.deep.equal(["pending", "submitted", "success"]);
    expect(events.at(-1)?.data).to.deep.equal({
      requestId,
      status: "success",
      inTxHashes: [transactions[0]?.txHash],
      txHashes: status.txHashes,
      updatedAt: status.updatedAt,
      originChainId: network.chains[0].id,
      destinationChainId: network.chains[1].id,
      depositAddress: null,
      referrer: "shop",
      details: null,
      failReason: "N/A",
      refundFailReason: "N/A",
    });

    const query = `?requestId=${requestId}&state=delivered&limit=1`;
    let deliveries: (Record<string, unknown> | undefined)[] = [];
    // The delivery is recorded shortly after the receiver responds.
    while (deliveries[0]?.status !== "success") {
      const { body } = await callAdmin(network, "GET", `/admin/webhooks/deliveries${query}`);
      ({ deliveries } = body as { deliveries: Record<string, unknown>[] });
    }
    const [delivery] = deliveries;
    expect(delivery).to.deep.equal({
      id: delivery.id,
      keyId,
      requestId,
      status: "success",
      updatedAt: status.updatedAt,
      state: "delivered",
      attempts: 1,
      answerStatus: 200,
      problem: null,
      nextAttemptAt: null,
      finishedAt: delivery.finishedAt,
      data: events.at(-1)?.data,
    });
    await app.close();
  });

  it("are set, shown without their secrets, tested, and removed", async () => {
    const answer = await set({ headers: { authorization: "Bearer hidden" } });
    expect(answer.status).to.equal(200);
    const { webhook } = answer.body as { webhook: Record<string, unknown> };
    expect(webhook).to.deep.equal({
      keyId,
      url: receiver.url,
      headerNames: ["authorization"],
      createdAt: webhook.createdAt,
    });
    const listed = await callAdmin(network, "GET", "/admin/webhooks");
    expect(listed.body).to.deep.equal({ webhooks: [webhook] });
    expect(JSON.stringify([answer.body, listed.body]))
      .to.not.include("hidden")
      .and.not.include(LOCAL_API_KEY);

    const test = await callAdmin(network, "POST", `/admin/webhooks/${keyId}/test`);
    expect(test.body).to.deep.equal({ isDelivered: true, answerStatus: 200, problem: null });
    expect(receiver.events.at(-1)?.data.details).to.equal("a test of the webhook");
    expect(receiver.calls.at(-1)).to.include({ authorization: "Bearer hidden" });
    receiver.misbehave((_request, response) => response.writeHead(307, { location: "/other" }).end());
    expect((await callAdmin(network, "POST", `/admin/webhooks/${keyId}/test`)).body).to.deep.equal({
      isDelivered: false,
      answerStatus: 307,
      problem: "responded with 307: redirects are not followed",
    });

    expect((await callAdmin(network, "DELETE", `/admin/webhooks/${keyId}`)).body).to.deep.equal({ webhook });
    for (const [method, path] of [
      ["DELETE", `/admin/webhooks/${keyId}`],
      ["POST", `/admin/webhooks/${keyId}/test`],
      ["DELETE", "/admin/webhooks/unknown"],
    ] as const) {
      expect((await callAdmin(network, method, path)).status).to.equal(404);
    }
    expect((await callAdmin(network, "GET", "/admin/webhooks")).body).to.deep.equal({ webhooks: [] });
  });

  it("are removed with their key", async () => {
    const { body } = await callAdmin(network, "POST", "/admin/keys", {});
    const { apiKey, key } = body as { apiKey: string; key: { id: string } };
    expect((await set({ apiKey })).status).to.equal(200);
    await callAdmin(network, "DELETE", `/admin/keys/${key.id}`);
    expect((await callAdmin(network, "GET", "/admin/webhooks")).body).to.deep.equal({ webhooks: [] });
    expect((await set({ apiKey })).status).to.equal(400);
  });

  it("are rejected if their target is not allowed, or if they cannot be signed or sent", async () => {
    for (const [change, field] of [
      [{ apiKey: "unknown" }, "apiKey"],
      [{ url: "http://10.0.0.1/" }, "url"],
      [{ url: "http://169.254.169.254/" }, "url"],
      [{ url: "http://0.0.0.0:80/" }, "url"],
      [{ url: "file:///etc/passwd" }, "url"],
      [{ url: "" }, "url"],
      [{ headers: { host: "other" } }, "headers.host"],
      [{ headers: { a: "1\n2" } }, "headers.a"],
      [{ headers: { a: 5 } }, "headers.a"],
      [{ headers: [] }, "headers"],
      [{ retries: 5 }, "retries"],
    ] as const) {
      const { status, body } = await set(change);
      expect([change, status]).to.deep.equal([change, 400]);
      expect(body).to.have.property("field", field);
      // Hidden values are not shown as null.
      expect((body as { message: string }).message).to.not.include("null");
    }
    for (const query of ["state=lost", "limit=0", "limit=201", "before=0", "requestId=", "since=5"]) {
      const { status } = await callAdmin(network, "GET", `/admin/webhooks/deliveries?${query}`);
      expect([query, status]).to.deep.equal([query, 400]);
    }
  });
});
