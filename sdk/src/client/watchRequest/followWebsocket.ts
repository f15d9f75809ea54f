import { sleep } from "../../core/abort.ts";
import { InvalidInputError } from "../../core/errors.ts";
import type { ServiceClient } from "../client.ts";
import { type Connection, openConnection } from "./openConnection.ts";
import { createStatusPoller, type StatusPoller } from "./createStatusPoller.ts";
import { SILENCE_MS, type SourceContext, type StatusSource } from "./statusSource.ts";
import { toIntentStatus } from "./advanceStatus.ts";

const CONNECT_TIMEOUT_MS = 10_000;

/** In milliseconds; the last one repeats. */
const BACKOFF_MS = [250, 500, 1_000, 2_000, 5_000, 10_000, 30_000] as const;

export type WebsocketSource = Extract<StatusSource, { kind: "websocket" }>;

/**
 * Follows a request by the service's websocket: polls while it is not connected, once after each connection, and after
 * silence; a connection that missed something is replaced.
 */
export async function followWebsocket(source: WebsocketSource, context: SourceContext): Promise<never> {
  const url = addressOf(source.url, context.client);
  const stop = new AbortController();
  const inner = { ...context, signal: AbortSignal.any([context.signal, stop.signal]) };
  let connection: Connection | undefined;
  const poller = createStatusPoller(inner, {
    isLive: false,
    silenceMs: source.silenceMs ?? SILENCE_MS,
    onMissed: () => connection?.close(),
  });
  const connections = stayConnected(url, source, inner, poller, (opened) => (connection = opened));
  // The poller reports why it ended.
  connections.catch(() => undefined);
  try {
    return await poller.run();
  } finally {
    stop.abort();
    connection?.close();
  }
}

/** Reconnects until the signal fires or the service rejects the key, after which polling continues. */
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

function addressOf(url: string, { apiKey }: ServiceClient): string {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || !["ws:", "wss:"].includes(address.protocol)) {
    throw new InvalidInputError({
      field: "source.url",
      value: url,
      reason: "it is not a websocket URL",
      hint: "Pass the service's websocket, for example wss://ws.example.com.",
    });
  }
  if (apiKey !== undefined) address.searchParams.set("apiKey", apiKey);
  return address.href;
}
