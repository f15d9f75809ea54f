import { randomUUID } from "node:crypto";

import websocket, { type WebSocket } from "@fastify/websocket";

import { systemTimer, type Timer } from "@crosscall/protocol/core";
import type { StatusEvent } from "@crosscall/protocol/complete";
import {
  STATUS_EVENT,
  WEBSOCKET_CLOSE_CODES,
  type WebsocketResponse,
  type WebsocketCommand,
  WebsocketCommandSchema,
  type WebsocketReady,
} from "@crosscall/protocol/request/events";
import { findMismatch } from "@crosscall/protocol/schema";
import { findRequest } from "../store/requests/requests.ts";
import { describeStatus, type ToldChange } from "./records/status.ts";
import type { ServiceApp } from "./route.ts";
import type { Log, Reporter } from "../log.ts";
import type { Recorder } from "../market/market.ts";
import type { DefaultKeyHolder, KeyHolder } from "./serviceParts.ts";

/** Path of the websocket. The live service uses a separate host instead of a path. */
export const WEBSOCKET_PATH = "/ws";

export interface WebsocketLimits {
  /** Connection limit of this process for all keys. */
  readonly connections: number;
  readonly connectionsPerKey: number;
}

const LIMITS: WebsocketLimits = { connections: 1_024, connectionsPerKey: 32 };

/** Milliseconds between pings. A client that misses a ping before the next one counts as disconnected. */
const PING_INTERVAL_MS = 10_000;

/** Maximum size of a message: about ten times the size of a command. */
const MESSAGE_MAX_BYTES = 4_096;

/** Close code of a server that shuts down (RFC 6455, section 7.4.1). */
const GOING_AWAY = 1_001;

/** Timeout for a client to acknowledge the close, in milliseconds. */
const CLOSE_TIMEOUT_MS = 500;

/** Adds a websocket on which connections with a valid key can subscribe to request statuses (spec 4, section 4). */
export async function addWebsocket(
  app: ServiceApp,
  parts: Reporter & Recorder & KeyHolder & DefaultKeyHolder,
  { limits = LIMITS, timer = systemTimer }: { readonly limits?: WebsocketLimits; readonly timer?: Timer } = {},
): Promise<void> {
  const events = await openStatusEvents(parts);
  app.addHook("onClose", () => events.close());
  app.addHook("onSend", (request, reply, _payload, done) => {
    // The server does not track the connection of a handshake, even if the handshake is rejected.
    if (request.headers.upgrade !== undefined) reply.raw.once("finish", () => request.raw.socket.destroy());
    done();
  });
  await app.register(websocket, {
    options: { maxPayload: MESSAGE_MAX_BYTES },
    preClose(done) {
      const { clients } = app.websocketServer;
      for (const client of clients) client.close(GOING_AWAY);
      // A disconnected client never responds. It must not delay the shutdown.
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
      // Runs before the handshake, because messages must be handled right after it.
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

/** Clients that have not responded to a ping. */
const silent = new WeakSet<WebSocket>();

/** Closes connections of disconnected clients. Otherwise, they would stay open until the system's timeout. */
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

const SUBSCRIPTIONS_MAX = 100;

/** Maximum number of bytes to buffer for a slow client. */
const BACKLOG_MAX_BYTES = 1_048_576;

type Message = WebsocketReady | WebsocketResponse | StatusEvent | { readonly type: "error"; readonly message: string };

function serveConnection(socket: WebSocket, events: StatusEvents, log: Log): void {
  const subscribed = new Set<string>();
  const send = (message: Message): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > BACKLOG_MAX_BYTES) {
      socket.close(WEBSOCKET_CLOSE_CODES.tooSlow, "the client reads events too slowly");
      return;
    }
    socket.send(JSON.stringify(message));
  };
  const forget = (requestId: string): void => {
    events.unsubscribe(requestId, send);
    subscribed.delete(requestId);
  };

  socket.on("close", () => {
    for (const requestId of subscribed) forget(requestId);
  });
  // The close event follows.
  socket.on("error", (error) => log.debug({ error }, "a websocket failed"));
  socket.on("message", (raw) => {
    // With the library's default, a message is one buffer.
    const command = readCommand((raw as Buffer).toString());
    if (command === undefined) {
      send({ type: "error", message: "expected subscribe or unsubscribe to request.status.updated with filters.id" });
      return;
    }
    const { type, event, filters } = command;
    const data = { ...(event === undefined ? {} : { event }), ...(filters === undefined ? {} : { filters }) };
    if (command.type === "unsubscribe") {
      for (const requestId of filters === undefined ? subscribed : [filters.id.toLowerCase()]) forget(requestId);
      send({ type, status: "success", data });
      return;
    }
    const requestId = command.filters.id.toLowerCase();
    if (subscribed.size >= SUBSCRIPTIONS_MAX && !subscribed.has(requestId)) {
      send({ type, status: "error", data, message: `${SUBSCRIPTIONS_MAX} subscriptions at most` });
      return;
    }
    subscribed.add(requestId);
    events.subscribe(requestId, send);
    send({ type, status: "success", data });
  });
  send({ type: "connection", status: "ready", data: { id: randomUUID() } });
}

function readCommand(text: string): WebsocketCommand | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return findMismatch(WebsocketCommandSchema, message, "") === undefined ? (message as WebsocketCommand) : undefined;
  } catch {
    return undefined;
  }
}

export type EventListener = (event: StatusEvent) => void;

export interface StatusEvents {
  subscribe(requestId: string, listener: EventListener): void;
  unsubscribe(requestId: string, listener: EventListener): void;
  close(): Promise<void>;
}

async function openStatusEvents(parts: Reporter & Recorder): Promise<StatusEvents> {
  const listeners = new Map<string, Set<EventListener>>();
  /** Sequential, so that events are sent in the order of the changes. */
  let work = Promise.resolve();

  const publish = async (change: ToldChange): Promise<void> => {
    const data = await describeStatus(parts.store.db, change);
    if (data === undefined) return;
    const event: StatusEvent = { event: STATUS_EVENT, publishedAt: parts.clock.now(), data };
    for (const listener of listeners.get(change.requestId) ?? []) listener(event);
  };
  const schedule = (requestId: string, task: () => Promise<void>): void => {
    work = work.then(task).catch((error: unknown) => parts.log.error({ requestId, error }, "could not send an event"));
  };
  /** Sends the current state if changes may have been missed. */
  const publishPresent = async (requestId: string): Promise<void> => {
    const request = await findRequest(parts.store.db, requestId);
    if (request === undefined) return;
    await publish({ requestId, status: request.status, updatedAt: request.updated_at.getTime() });
  };
  const changes = await parts.store.onStatusChange({
    onChange(change) {
      // Skips changes without subscribers.
      if (listeners.has(change.requestId)) schedule(change.requestId, () => publish(change));
    },
    onGap() {
      for (const requestId of listeners.keys()) schedule(requestId, () => publishPresent(requestId));
    },
  });

  return {
    subscribe(requestId, listener) {
      listeners.set(requestId, (listeners.get(requestId) ?? new Set()).add(listener));
    },
    unsubscribe(requestId, listener) {
      const ofRequest = listeners.get(requestId);
      ofRequest?.delete(listener);
      if (ofRequest?.size === 0) listeners.delete(requestId);
    },
    async close() {
      await changes.stop();
      listeners.clear();
      await work;
    },
  };
}
