import websocket, { type WebSocket } from "@fastify/websocket";

import { type Clock, systemTimer, type Timer } from "@crosscall/protocol/core";
import { WEBSOCKET_CLOSE_CODES } from "@crosscall/protocol/request";
import type { ServiceApp } from "./route.ts";
import type { ServiceParts } from "./serviceParts.ts";
import { serveConnection } from "./websocket/serveConnection.ts";
import { openStatusEvents } from "./websocket/statusEvents.ts";

/** The live service has a separate host for it. */
export const WEBSOCKET_PATH = "/ws";

export interface WebsocketLimits {
  /** Of all keys in this process. */
  readonly connections: number;
  readonly connectionsPerKey: number;
}

const LIMITS: WebsocketLimits = { connections: 1_024, connectionsPerKey: 32 };

/** A client that does not answer a ping before the next one is gone. */
const PING_INTERVAL_MS = 10_000;

/** A command takes a tenth of it. */
const MESSAGE_MAX_BYTES = 4_096;

/** RFC 6455, section 7.4.1. */
const GOING_AWAY = 1_001;

/** How long a client may take to acknowledge the close, in milliseconds. */
const CLOSE_TIMEOUT_MS = 500;

/** Connections with a valid key can subscribe to request statuses (spec 4, section 4). */
export async function addWebsocket(
  app: ServiceApp,
  parts: Pick<ServiceParts, "defaultApiKey" | "keys" | "log" | "store"> & { readonly clock: Clock },
  { limits = LIMITS, timer = systemTimer }: { readonly limits?: WebsocketLimits; readonly timer?: Timer } = {},
): Promise<void> {
  const events = await openStatusEvents(parts);
  app.addHook("onClose", () => events.close());
  app.addHook("onSend", (request, reply, _payload, done) => {
    // The server no longer tracks the connection of a handshake, also if it is refused.
    if (request.headers.upgrade !== undefined) reply.raw.once("finish", () => request.raw.socket.destroy());
    done();
  });
  await app.register(websocket, {
    options: { maxPayload: MESSAGE_MAX_BYTES },
    preClose(done) {
      const { clients } = app.websocketServer;
      for (const client of clients) client.close(GOING_AWAY);
      // A client that is gone never answers, and must not delay the shutdown.
      const timer = setTimeout(() => clients.forEach((client) => client.terminate()), CLOSE_TIMEOUT_MS);
      app.websocketServer.close((error) => {
        clearTimeout(timer);
        done(error);
      });
    },
  });
  const ping = (): void => {
    pingAll(app.websocketServer.clients);
    cancelPing = timer.schedule(PING_INTERVAL_MS, ping);
  };
  let cancelPing = timer.schedule(PING_INTERVAL_MS, ping);
  app.addHook("onClose", (_app, done) => {
    cancelPing();
    done();
  });
  let connections = 0;
  const ofKeys = new Map<string, number>();
  const count = (keyHash: string, change: 1 | -1): void => {
    connections += change;
    const ofKey = (ofKeys.get(keyHash) ?? 0) + change;
    if (ofKey === 0) ofKeys.delete(keyHash);
    else ofKeys.set(keyHash, ofKey);
  };
  app.get<{ Querystring: { apiKey?: unknown } }>(
    WEBSOCKET_PATH,
    {
      websocket: true,
      schema: { hide: true },
      // Before the handshake, since messages must be handled right after it.
      preValidation: async (request) => {
        const { apiKey = parts.defaultApiKey } = request.query;
        if (typeof apiKey === "string") request.caller = await parts.keys.find(apiKey);
      },
    },
    (socket, { caller }) => {
      // Browsers cannot read the status of a rejected handshake, but they can read a close code.
      if (caller === undefined) {
        socket.close(WEBSOCKET_CLOSE_CODES.unauthorized, "the apiKey is missing or unknown");
        return;
      }
      const { keyHash } = caller;
      if (connections >= limits.connections || (ofKeys.get(keyHash) ?? 0) >= limits.connectionsPerKey) {
        socket.close(WEBSOCKET_CLOSE_CODES.tooManyConnections, "too many connections");
        return;
      }
      count(keyHash, 1);
      socket.on("close", () => count(keyHash, -1));
      serveConnection(socket, events, parts.log);
    },
  );
}

/** Clients that were pinged and have not answered. */
const silent = new WeakSet<WebSocket>();

/** Ends connections whose client is gone: without it, they would hold their place until the system gives up on them. */
function pingAll(clients: ReadonlySet<WebSocket>): void {
  for (const client of clients) {
    if (silent.has(client)) {
      client.terminate();
      continue;
    }
    silent.add(client);
    client.once("pong", () => silent.delete(client));
    client.ping();
  }
}
