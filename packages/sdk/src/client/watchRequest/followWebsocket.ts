import { createDeferred, InvalidInputError, MalformedDataError, sleep } from "@crosscall/protocol/core";
import {
  readStatusEvent,
  readWebsocketMessage,
  STATUS_EVENT,
  type StatusEvent,
  WEBSOCKET_CLOSE_CODES,
  type WebsocketCommand,
} from "@crosscall/protocol/request/events";
import { parseJson } from "@crosscall/protocol/schema";
import type { ServiceClient } from "../client.ts";
import { toIntentStatus } from "./advanceStatus.ts";
import {
  createStatusPoller,
  SILENCE_MS,
  type SourceContext,
  type StatusPoller,
  type StatusSource,
  type WebSocketConstructor,
} from "./statusSource.ts";

const CONNECT_TIMEOUT_MS = 10_000;

/** Delays in milliseconds. The last delay repeats. */
const BACKOFF_MS = [250, 500, 1_000, 2_000, 5_000, 10_000, 30_000] as const;

export type WebsocketSource = Extract<StatusSource, { kind: "websocket" }>;

/**
 * Follows a request with the service's websocket. Polls while disconnected, once after each connection, and after
 * silence. Replaces a connection that missed an event.
 */
export async function followWebsocket(source: WebsocketSource, context: SourceContext): Promise<never> {
  const url = addressOf(source, context.client);
  const stop = new AbortController();
  const inner = { ...context, signal: AbortSignal.any([context.signal, stop.signal]) };
  let connection: Connection | undefined;
  const poller = createStatusPoller(inner, {
    isLive: false,
    silenceMs: source.silenceMs ?? SILENCE_MS,
    onMissed: () => connection?.close(),
  });
  const connections = stayConnected(url, source, inner, poller, (opened) => (connection = opened));
  // The poll reports the reason.
  connections.catch(() => undefined);
  try {
    return await poller.run();
  } finally {
    stop.abort();
    connection?.close();
  }
}

/** Reconnects until the signal aborts or the service rejects the key. Polling then continues. */
async function stayConnected(
  url: string,
  source: WebsocketSource,
  { requestId, signal, report }: SourceContext,
  poller: StatusPoller,
  onOpened: (connection: Connection) => void,
): Promise<void> {
  for (let failures = 0; ; failures += 1) {
    const connection = openConnection({
      url,
      requestId,
      WebSocket: source.WebSocket ?? globalThis.WebSocket,
      timeoutMs: source.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      onReady() {
        failures = 0;
        poller.setLive(true);
      },
      onEvent(event) {
        poller.heard();
        report({ status: toIntentStatus(event) });
      },
    });
    onOpened(connection);
    const { isRefused } = await connection.ended;
    poller.setLive(false);
    if (isRefused) return;
    await sleep(BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)] ?? 0, signal, `request ${requestId}`);
  }
}

function addressOf({ kind, url }: WebsocketSource, { apiKey }: ServiceClient): string {
  // Callers in JavaScript can pass any kind.
  if ((kind as unknown) !== "websocket") {
    throw new InvalidInputError({
      field: "source.kind",
      value: kind,
      reason: "it is unknown",
      hint: "Pass polling, webhook or websocket.",
    });
  }
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || !["ws:", "wss:"].includes(address.protocol)) {
    throw new InvalidInputError({
      field: "source.url",
      value: url,
      reason: "it must be a websocket URL",
      hint: "Pass the service's websocket URL, for example wss://ws.example.com.",
    });
  }
  if (apiKey !== undefined) address.searchParams.set("apiKey", apiKey);
  return address.href;
}

export interface OpenConnectionParameters {
  /** URL with the API key. */
  readonly url: string;
  readonly requestId: string;
  readonly WebSocket: WebSocketConstructor;
  /** Timeout until subscribed, in milliseconds. */
  readonly timeoutMs: number;
  /** Called when subscribed. */
  readonly onReady: () => void;
  readonly onEvent: (event: StatusEvent) => void;
}

export interface Connection {
  close(): void;
  /** `isRefused` if the service rejects the key, so that reconnecting is useless. */
  readonly ended: Promise<{ readonly isRefused: boolean }>;
}

/** Subscribes to a request when the service is ready (spec 4, section 4). */
function openConnection(parameters: OpenConnectionParameters): Connection {
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

/** Reads an event, which is the message or its `data`. The published SDK also reads both. */
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
