import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";

import { expect } from "chai";
import { fastify } from "fastify";

import { systemTimer } from "../../packages/protocol/src/core/timer.ts";
import { createLog } from "../../packages/crosscall/src/localnet/log.ts";
import { openKeyRing } from "../../packages/crosscall/src/localnet/service/keys/keyRing.ts";
import { listenAt } from "../../packages/crosscall/src/localnet/service/listenAt.ts";
import type { ServiceApp } from "../../packages/crosscall/src/localnet/service/route.ts";
import { createSettableClock } from "../../packages/crosscall/src/localnet/service/sharedClock.ts";
import { addWebsocket, WEBSOCKET_PATH } from "../../packages/crosscall/src/localnet/service/websocket.ts";
import { insertApiKey } from "../../packages/crosscall/src/localnet/store/keys.ts";
import { openStore, type Store } from "../../packages/crosscall/src/localnet/store/store.ts";
import { until } from "../support/until.ts";
import { virtualTimer } from "../unit/sdk/client/virtualTimer.ts";

const TOO_MANY = 4_429;

const PING_INTERVAL_MS = 10_000;

/** Encodes frames as RFC 6455 specifies. A client masks its frames. */
const PING = Buffer.from([0x89, 0]);
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
const INVALID_MESSAGE = Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x7b]);

interface RawClient {
  readonly socket: Socket;
  /** Waits for these bytes, starting after the bytes of the previous wait. */
  readonly receive: (bytes: Buffer) => Promise<void>;
}

describe("the limits of the websocket", () => {
  let store: Store;
  let app: ServiceApp;
  let url: string;
  const timer = virtualTimer();
  const sockets: WebSocket[] = [];

  before(async () => {
    store = await openStore({ onError: (error) => expect.fail(error.message) });
    for (const apiKey of ["one", "two", "three"]) {
      const key = { apiKey, integrator: apiKey, label: "", limits: {}, createdAt: new Date(0) };
      await insertApiKey(store.db, key);
    }
    const log = createLog("silent");
    app = fastify({ loggerInstance: log });
    const keys = openKeyRing(store.db, systemTimer);
    const clock = createSettableClock(timer);
    await addWebsocket(
      app,
      { clock, defaultApiKey: undefined, keys, log, store },
      { limits: { connections: 3, connectionsPerKey: 2 }, timer },
    );
    url = await listenAt(app, 0);
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) {
      if (socket.readyState === WebSocket.CLOSED) continue;
      const closed = once(socket, "close");
      socket.close();
      await closed;
    }
  });
  after(async () => {
    await app.close();
    await store.close();
  });

  /** Opens a connection, and returns its first event: a message, or the code with which it closes. */
  async function open(apiKey: string): Promise<"ready" | number> {
    const socket = new WebSocket(`${url.replace("http", "ws")}${WEBSOCKET_PATH}?apiKey=${apiKey}`);
    sockets.push(socket);
    return new Promise((resolve) => {
      socket.addEventListener("message", () => resolve("ready"));
      socket.addEventListener("close", ({ code }) => resolve(code));
    });
  }

  it("apply per key, so that a key at its limit does not block another", async () => {
    expect([await open("one"), await open("one"), await open("one")]).to.deep.equal(["ready", "ready", TOO_MANY]);
    expect(await open("two")).to.equal("ready");
    // The process has reached its own limit.
    expect(await open("three")).to.equal(TOO_MANY);
  });

  it("do not count a closed connection", async () => {
    expect([await open("one"), await open("one"), await open("one")]).to.deep.equal(["ready", "ready", TOO_MANY]);
    sockets[0]?.close();
    await until(async () => (await open("one")) === "ready");
  });

  it("keep clients that respond to pings, and disconnect other clients", async () => {
    const present = await openRaw("one");
    const gone = await openRaw("one");
    await timer.advance(PING_INTERVAL_MS);
    await present.receive(PING);
    await gone.receive(PING);
    present.socket.write(PONG);
    await answerOf(present);
    const end = once(gone.socket, "close");
    await timer.advance(PING_INTERVAL_MS);
    await end;
    await answerOf(present);
    expect([await open("one"), await open("one")]).to.deep.equal(["ready", TOO_MANY]);
    present.socket.destroy();
  });

  /** Opens a connection with a client that never responds by itself. */
  async function openRaw(apiKey: string): Promise<RawClient> {
    const { hostname, port, host } = new URL(url);
    const socket = connect(Number(port), hostname);
    let received = Buffer.alloc(0);
    let wake: () => void = () => undefined;
    socket.on("data", (data: Buffer) => {
      received = Buffer.concat([received, data]);
      wake();
    });
    // The server resets the connection.
    socket.on("error", () => undefined);
    socket.write(
      [
        `GET ${WEBSOCKET_PATH}?apiKey=${apiKey} HTTP/1.1`,
        `Host: ${host}`,
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
        "\r\n",
      ].join("\r\n"),
    );
    const client: RawClient = {
      socket,
      async receive(bytes) {
        while (!received.includes(bytes)) await new Promise<void>((resolve) => (wake = resolve));
        received = received.subarray(received.indexOf(bytes) + bytes.length);
      },
    };
    await client.receive(Buffer.from("ready"));
    return client;
  }

  /** Returns the response to a message. The server handles earlier frames first. */
  async function answerOf({ socket, receive }: RawClient): Promise<void> {
    socket.write(INVALID_MESSAGE);
    await receive(Buffer.from('"error"'));
  }
});
