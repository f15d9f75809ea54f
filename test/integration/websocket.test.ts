import { once } from "node:events";

import { expect } from "chai";
import { parseEther } from "viem";

import type { Quote } from "../../packages/protocol/src/complete.ts";
import { getQuote } from "../support/complete.ts";
import { createServiceClient, executeSteps, requestStatuses, watchRequest } from "../../packages/sdk/src/index.ts";
import { localnet } from "../../packages/crosscall/src/localnet/index.ts";
import { userWallet } from "./support/parties.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { until } from "../support/until.ts";
import { etherRequest } from "./support/requests.ts";

const EVENT = "request.status.updated";

/** Connection with messages that can be read one by one. */
interface Talk {
  readonly socket: WebSocket;
  readonly next: () => Promise<Record<string, unknown>>;
  readonly say: (message: unknown) => void;
}

describe("the websocket of the service", () => {
  const network = useNetwork();
  const talks: Talk[] = [];
  const client = () => createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });

  afterEach(() => {
    for (const { socket } of talks.splice(0)) socket.close();
  });

  const takeQuote = (): Promise<Quote> =>
    getQuote(client(), etherRequest(network, { amount: parseEther("0.01").toString() }));
  const execute = (quote: Quote) =>
    executeSteps(client(), { quote, wallet: userWallet(network, network.chains[0]), pollIntervalMs: 25 });

  function talk(): Talk {
    const socket = new WebSocket(`${network.websocketUrl}?apiKey=${network.apiKey}`);
    const messages: Record<string, unknown>[] = [];
    let wake: () => void = () => undefined;
    socket.addEventListener("message", ({ data }) => {
      messages.push(JSON.parse(data as string) as Record<string, unknown>);
      wake();
    });
    const opened: Talk = {
      socket,
      async next() {
        while (messages.length === 0) await new Promise<void>((resolve) => (wake = resolve));
        return messages.shift()!;
      },
      say: (message) => socket.send(typeof message === "string" ? message : JSON.stringify(message)),
    };
    talks.push(opened);
    return opened;
  }

  for (const [name, query] of [
    ["no key", ""],
    ["an unknown key", "?apiKey=stolen"],
  ] as const) {
    it(`closes a connection with ${name}`, async () => {
      const socket = new WebSocket(`${network.websocketUrl}${query}`);
      const [{ code }] = (await once(socket, "close")) as [CloseEvent];
      expect(code).to.equal(4_401);
    });
  }

  it("sends ready, confirms a subscription, and reports each status of the request in order", async () => {
    const { next, say } = talk();
    const ready = await next();
    expect(ready).to.deep.equal({
      type: "connection",
      status: "ready",
      data: { id: (ready.data as { id: string }).id },
    });
    const quote = await takeQuote();
    const id = quote.steps[0]?.requestId ?? "";
    say({ type: "subscribe", event: EVENT, filters: { id } });
    expect(await next()).to.deep.equal({
      type: "subscribe",
      status: "success",
      data: { event: EVENT, filters: { id } },
    });
    const { transactions, status } = await execute(quote);
    const events: Record<string, unknown>[] = [];
    while (events.at(-1)?.status !== "success") {
      const message = await next();
      expect(message).to.have.all.keys("event", "publishedAt", "data");
      expect(message.event).to.equal(EVENT);
      events.push(message.data as Record<string, unknown>);
    }
    expect(events.map(({ status }) => status).filter((status) => status !== "depositing")).to.deep.equal([
      "pending",
      "submitted",
      "success",
    ]);
    expect(events.at(-1)).to.deep.equal({
      requestId: id,
      status: "success",
      inTxHashes: [transactions[0]?.txHash],
      txHashes: status.txHashes,
      updatedAt: status.updatedAt,
      originChainId: network.chains[0].id,
      destinationChainId: network.chains[1].id,
      depositAddress: null,
      referrer: null,
      details: null,
      failReason: "N/A",
      refundFailReason: "N/A",
    });
  });

  it("reports nothing about unsubscribed and other requests", async () => {
    const { next, say } = talk();
    await next();
    const [left, other] = [await takeQuote(), await takeQuote()];
    const filters = { id: left.steps[0]?.requestId };
    say({ type: "subscribe", event: EVENT, filters });
    await next();
    say({ type: "unsubscribe", event: EVENT, filters });
    expect(await next()).to.deep.equal({ type: "unsubscribe", status: "success", data: { event: EVENT, filters } });
    await execute(left);
    await execute(other);
    say({ type: "unsubscribe", event: EVENT, filters });
    expect((await next()).type).to.equal("unsubscribe");
  });

  it("ends all subscriptions at once if no filters are given", async () => {
    const { next, say } = talk();
    await next();
    const quote = await takeQuote();
    say({ type: "subscribe", event: EVENT, filters: { id: quote.steps[0]?.requestId } });
    await next();
    say({ type: "unsubscribe", event: EVENT });
    expect(await next()).to.deep.equal({ type: "unsubscribe", status: "success", data: { event: EVENT } });
    await execute(quote);
    say({ type: "unsubscribe" });
    expect(await next()).to.deep.equal({ type: "unsubscribe", status: "success", data: {} });
  });

  it("rejects invalid messages, and too many subscriptions", async () => {
    const { next, say } = talk();
    await next();
    for (const message of ["{", { type: "subscribe", event: "weather", filters: { id: "1" } }, { type: "subscribe" }]) {
      say(message);
      expect((await next()).type).to.equal("error");
    }
    for (let index = 0; index < 100; index += 1) {
      say({ type: "subscribe", event: EVENT, filters: { id: `${index}` } });
      expect((await next()).status).to.equal("success");
    }
    say({ type: "subscribe", event: EVENT, filters: { id: "0" } });
    expect((await next()).status).to.equal("success");
    say({ type: "subscribe", event: EVENT, filters: { id: "100" } });
    expect((await next()).status).to.equal("error");
    say({ type: "unsubscribe", event: EVENT, filters: { id: "0" } });
    await next();
    say({ type: "subscribe", event: EVENT, filters: { id: "100" } });
    expect((await next()).status).to.equal("success");
  });

  it("serves as the source for a request watch, which then sends few status requests", async () => {
    const quote = await takeQuote();
    const requestId = quote.steps[0]?.requestId ?? "";
    let asked = 0;
    const counting = createServiceClient({
      baseUrl: network.url,
      apiKey: network.apiKey,
      fetch: (...call) => {
        asked += 1;
        return fetch(...call);
      },
    });
    const source = { kind: "websocket", url: network.websocketUrl } as const;
    const statuses: string[] = [];
    const execution = Promise.withResolvers<unknown>();
    for await (const { status } of requestStatuses(counting, { requestId, source, pollIntervalMs: 60_000 })) {
      // The first status request and the one after connecting both complete before the deposit is made.
      if (statuses.push(status) === 1) execution.resolve(until(() => asked === 2).then(() => execute(quote)));
    }
    expect(statuses.filter((status) => status !== "depositing")).to.deep.equal([
      "waiting",
      "pending",
      "submitted",
      "success",
    ]);
    expect(asked).to.equal(2);
    await execution.promise;
  });

  it("rejects connections without a key, so that the client polls instead", async () => {
    const quote = await takeQuote();
    const stranger = createServiceClient({ baseUrl: network.url });
    const { transactions } = await execute(quote);
    const { outcome, inTxHashes } = await watchRequest(stranger, {
      requestId: quote.steps[0]?.requestId ?? "",
      source: { kind: "websocket", url: network.websocketUrl },
    });
    expect([outcome, inTxHashes]).to.deep.equal(["success", [transactions[0]?.txHash]]);
  });

  it("closes with the network while clients are connected", async () => {
    await using other = await localnet({ keepsRetired: true });
    const socket = new WebSocket(`${other.websocketUrl}?apiKey=${other.apiKey}`);
    await once(socket, "message");
    const closed = once(socket, "close");
    await other.close();
    await closed;
  });
});
