import { createDeferred } from "../../core/deferred.ts";
import { MalformedDataError } from "../../core/errors.ts";
import { readStatusEvent, STATUS_EVENT, type StatusEvent } from "../../protocol/request/statusEvent.ts";
import {
  readWebsocketMessage,
  WEBSOCKET_CLOSE_CODES,
  type WebsocketCommand,
} from "../../protocol/request/websocketMessage.ts";
import type { WebSocketConstructor } from "./statusSource.ts";
import { parseJson } from "../../protocol/schema/json.ts";

export interface OpenConnectionParameters {
  /** Including the API key. */
  readonly url: string;
  readonly requestId: string;
  readonly WebSocket: WebSocketConstructor;
  /** Until subscribed, in milliseconds. */
  readonly timeoutMs: number;
  /** Called when subscribed. */
  readonly onReady: () => void;
  readonly onEvent: (event: StatusEvent) => void;
}

export interface Connection {
  close(): void;
  /** `isRefused`: the service rejects the key, so reconnecting is useless. */
  readonly ended: Promise<{ readonly isRefused: boolean }>;
}

/** Subscribes to a request once the service is ready (spec 4, section 4). */
export function openConnection(parameters: OpenConnectionParameters): Connection {
  const { requestId, onReady, onEvent } = parameters;
  const ended = createDeferred<{ isRefused: boolean }>();
  const socket = new parameters.WebSocket(parameters.url);
  let isOver = false;
  const end = (isRefused: boolean): void => {
    isOver = true;
    clearTimeout(timer);
    ended.resolve({ isRefused });
    socket.close();
  };
  const timer = setTimeout(() => end(false), parameters.timeoutMs);
  socket.addEventListener("error", () => end(false));
  socket.addEventListener("close", ({ code }) => end(code === WEBSOCKET_CLOSE_CODES.unauthorized));
  socket.addEventListener("message", ({ data }) => {
    const message = typeof data === "string" ? parseJson(data) : undefined;
    if (isOver || message === undefined) return;
    const { type, status } = readWebsocketMessage(message);
    if (type === "connection" && status === "ready") {
      const command: WebsocketCommand = { type: "subscribe", event: STATUS_EVENT, filters: { id: requestId } };
      socket.send(JSON.stringify(command));
    } else if (type === "subscribe" && status !== "success") {
      end(false);
    } else if (type === "subscribe") {
      clearTimeout(timer);
      onReady();
    } else {
      const event = readEvent(message);
      if (event?.data.requestId.toLowerCase() === requestId.toLowerCase()) onEvent(event);
    }
  });
  return { close: () => end(false), ended: ended.promise };
}

/** The event is the message or its `data`: the published SDK reads both. */
function readEvent(message: unknown): StatusEvent | undefined {
  const inner = typeof message === "object" && message !== null && "data" in message ? message.data : undefined;
  for (const candidate of [message, inner]) {
    try {
      return readStatusEvent(candidate, "the websocket message");
    } catch (error) {
      if (!(error instanceof MalformedDataError)) throw error;
    }
  }
  return undefined;
}
