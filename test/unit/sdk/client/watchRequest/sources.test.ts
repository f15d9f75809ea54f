import { once } from "node:events";
import type { AddressInfo } from "node:net";

import { expect } from "chai";
import { type WebSocket as Socket, WebSocketServer } from "ws";

import { createServiceClient } from "../../../../../packages/sdk/src/client/client.ts";
import {
  requestStatuses,
  type RequestStatusesParameters,
} from "../../../../../packages/sdk/src/client/watchRequest/watchRequest.ts";
import { createStatusFeed } from "../../../../../packages/sdk/src/client/webhooks/createWebhookHandler.ts";
import type { StatusEvent } from "../../../../../packages/protocol/src/index.ts";
import { until } from "../../../../support/until.ts";
import { factsOf, rejected } from "../../../../support/rejection.ts";
import { freeUrl, useService } from "../service.ts";
import { statusEvent } from "../webhooks/signed.ts";

const REQUEST_ID = "0xab";
const NEVER_MS = 60_000;
const event = (status: StatusEvent["data"]["status"], updatedAt: number): StatusEvent =>
  statusEvent({ requestId: REQUEST_ID, status, updatedAt });

describe("requestStatuses from a", () => {
  const service = useService();

  const follow = (parameters: Partial<RequestStatusesParameters>) =>
    requestStatuses(createServiceClient({ baseUrl: service.url, apiKey: "a&b" }), {
      requestId: REQUEST_ID,
      pollIntervalMs: NEVER_MS,
      ...parameters,
    });
  const collect = async (parameters: Partial<RequestStatusesParameters>, onStatus?: (status: string) => void) => {
    const seen: string[] = [];
    for await (const { status } of follow(parameters)) {
      seen.push(status);
      onStatus?.(status);
    }
    return seen;
  };
  const looks = () => service.calls.length;

  describe("websocket", () => {
    let server: WebSocketServer;
    let url: string;
    let urls: (string | undefined)[];
    let received: unknown[];
    /** Behavior of a connection after its subscription, given the connection's zero-based number. */
    let onSubscribed: (send: (message: unknown) => void, socket: Socket, index: number) => void;

    beforeEach(async () => {
      urls = [];
      received = [];
      server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
      server.on("connection", (socket, request) => {
        const index = urls.push(request.url) - 1;
        const send = (message: unknown): void => socket.send(JSON.stringify(message));
        send({ type: "connection", status: "ready", data: { id: "1" } });
        socket.on("message", (raw: Buffer) => {
          const command = JSON.parse(raw.toString()) as { type: string; event: string; filters: unknown };
          received.push(command);
          const { type, ...data } = command;
          send({ type, status: "success", data });
          onSubscribed(send, socket, index);
        });
      });
      await once(server, "listening");
      url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterEach(() => {
      for (const client of server.clients) client.terminate();
      server.close();
    });

    it("subscribes with the key, and ignores duplicate, late, malformed and other requests' messages", async () => {
      service.answers = () => ({ json: { status: "waiting", updatedAt: 1 } });
      onSubscribed = (send) => {
        send(event("pending", 3));
        send(event("pending", 3));
        send(event("depositing", 2));
        send({ type: "gossip" });
        send({ ...event("success", 9), data: { ...event("success", 9).data, requestId: "0xcd" } });
        // Another format that the published SDK reads.
        send({ type: "event", data: event("submitted", 4) });
        send(event("success", 5));
      };
      const statuses = await collect({ source: { kind: "websocket", url } });
      expect(statuses.at(-1)).to.equal("success");
      expect(statuses.filter((status) => status !== "waiting")).to.deep.equal(["pending", "submitted", "success"]);
      expect(urls).to.deep.equal(["/?apiKey=a%26b"]);
      expect(received).to.deep.equal([
        { type: "subscribe", event: "request.status.updated", filters: { id: REQUEST_ID } },
      ]);
    });

    it("reconnects after a close, and polls once after each connection", async () => {
      const inTurn = ["waiting", "waiting", "waiting", "pending"];
      service.answers = (_call, index) => ({ json: { status: inTurn[Math.min(index, 3)] } });
      let sendAgain = (_message: unknown): void => undefined;
      onSubscribed = (send, socket, index) => {
        if (index === 0) void until(() => looks() === 2).then(() => socket.close());
        else sendAgain = send;
      };
      const onStatus = (status: string): void => {
        if (status === "pending") sendAgain(event("success", 9));
      };
      const statuses = await collect({ source: { kind: "websocket", url } }, onStatus);
      expect(statuses).to.deep.equal(["waiting", "pending", "success"]);
      expect([urls.length, looks()]).to.deep.equal([2, 4]);
    });

    it("polls while it cannot connect", async () => {
      const inTurn = ["waiting", "pending", "success"];
      service.answers = (_call, index) => ({ json: { status: inTurn[index] } });
      const nowhere = (await freeUrl()).replace("http", "ws");
      const source = { kind: "websocket", url: nowhere } as const;
      expect(await collect({ source, pollIntervalMs: 5 })).to.deep.equal(inTurn);
    });

    it("polls if the connection becomes silent, and reconnects if it missed an update", async () => {
      const inTurn = ["waiting", "waiting", "pending", "pending"];
      service.answers = (_call, index) => ({ json: { status: inTurn[Math.min(index, 3)] } });
      onSubscribed = (send, _socket, index) => {
        if (index === 1) setTimeout(() => send(event("success", 9)), 20);
      };
      expect(await collect({ source: { kind: "websocket", url, silenceMs: 1_000 } })).to.deep.equal([
        "waiting",
        "pending",
        "success",
      ]);
      expect(urls).to.have.length(2);
    });

    it("closes a connection that never becomes ready", async () => {
      server.removeAllListeners("connection");
      let connections = 0;
      server.on("connection", () => (connections += 1));
      service.answers = () => ({ json: { status: connections < 2 ? "waiting" : "success" } });
      const source = { kind: "websocket", url, connectTimeoutMs: 30 } as const;
      expect(await collect({ source, pollIntervalMs: 10 })).to.deep.equal(["waiting", "success"]);
    });

    it("closes its connection when the watch ends", async () => {
      service.answers = () => ({ json: { status: "waiting" } });
      const closed = Promise.withResolvers<undefined>();
      onSubscribed = (send, socket) => {
        socket.on("close", () => closed.resolve(undefined));
        send(event("success", 9));
      };
      await collect({ source: { kind: "websocket", url } });
      await closed.promise;
    });

    it("rejects a URL that is not a websocket URL", async () => {
      const error = await rejected(collect({ source: { kind: "websocket", url: service.url } }));
      expect(factsOf(error)).to.include({ code: "INVALID_INPUT", field: "source.url" });
    });

    it("or a source of another known kind is required", async () => {
      service.answers = () => ({ json: { status: "waiting" } });
      for (const source of [{ kind: "websockets" }, { kind: "push", url: service.url }, "websocket"]) {
        const error = await rejected(collect({ source: source as never, timeoutMs: 1_000 }));
        expect(factsOf(error)).to.include({ code: "INVALID_INPUT", field: "source.kind" });
      }
    });

    it("reports that the service does not have the request", async () => {
      onSubscribed = () => undefined;
      service.answers = () => ({ status: 404, json: { message: "no" } });
      const error = await rejected(collect({ source: { kind: "websocket", url } }));
      expect(factsOf(error)).to.include({ code: "SERVICE_ERROR", status: 404 });
    });
  });

  describe("webhook", () => {
    it("yields messages from the feed after one poll", async () => {
      service.answers = () => ({ json: { status: "waiting", updatedAt: 1 } });
      const feed = createStatusFeed();
      const statuses = await collect({ source: { kind: "webhook", feed } }, (status) => {
        if (status !== "waiting") return;
        feed.publish({ ...event("success", 9), data: { ...event("success", 9).data, requestId: "0xcd" } });
        feed.publish(event("failure", 2));
        feed.publish(event("pending", 3));
        feed.publish(event("refund", 4));
      });
      expect([statuses, looks()]).to.deep.equal([["waiting", "failure", "pending", "refund"], 1]);
    });

    it("polls if no message arrives", async () => {
      service.answers = (_call, index) => ({ json: { status: index === 0 ? "waiting" : "success" } });
      const source = { kind: "webhook", feed: createStatusFeed(), silenceMs: 20 } as const;
      expect(await collect({ source })).to.deep.equal(["waiting", "success"]);
    });
  });

  it("closes any source when the loop ends", async () => {
    service.answers = () => ({ json: { status: "pending" } });
    for await (const { status } of follow({ pollIntervalMs: 5 })) {
      expect(status).to.equal("pending");
      break;
    }
    const before = looks();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(looks()).to.equal(before);
  });
});
