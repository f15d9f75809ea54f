import { randomUUID } from "node:crypto";

import type { WebSocket } from "@fastify/websocket";

import type { StatusEvent } from "@crosscall/protocol/complete";
import {
  WEBSOCKET_CLOSE_CODES,
  type WebsocketAnswer,
  type WebsocketCommand,
  WebsocketCommandSchema,
  type WebsocketReady,
} from "@crosscall/protocol/request";
import { findMismatch } from "@crosscall/protocol/schema";
import type { Log } from "../../log.ts";
import type { StatusEvents } from "./statusEvents.ts";

const SUBSCRIPTIONS_MAX = 100;

/** Bytes that may wait for a slow client. */
const BACKLOG_MAX_BYTES = 1_048_576;

type Message = WebsocketReady | WebsocketAnswer | StatusEvent | { readonly type: "error"; readonly message: string };

export function serveConnection(socket: WebSocket, events: StatusEvents, log: Log): void {
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
