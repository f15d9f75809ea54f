import { abortable, createDeferred, CrosscallError, ServiceError, TIMER_MAX_MS } from "@crosscall/protocol/core";
import type { IntentStatus } from "@crosscall/protocol/request";
import type { ServiceClient } from "../client.ts";
import { getStatus } from "../getStatus.ts";
import type { StatusFeed } from "../webhooks/createWebhookHandler.ts";

/** Source of statuses. */
export type StatusSource =
  /** Polls the status endpoint. */
  | { readonly kind: "polling" }
  /** The service's websocket, with polling while disconnected and after silence. */
  | {
      readonly kind: "websocket";
      /** `wss://…`, without the API key, which the client adds. */
      readonly url: string;
      /** Constructor of websockets. Defaults to the platform's. */
      readonly WebSocket?: WebSocketConstructor;
      /** Time without a message before a poll, in milliseconds. Defaults to 15,000. */
      readonly silenceMs?: number;
      /** Timeout of a connection, in milliseconds. Defaults to 10,000. */
      readonly connectTimeoutMs?: number;
    }
  /** Webhook events, with a poll at the start and after silence. */
  | {
      readonly kind: "webhook";
      readonly feed: StatusFeed;
      /** Time without an event before a poll, in milliseconds. Defaults to 15,000. */
      readonly silenceMs?: number;
    };

export interface WebSocketLike {
  send(data: string): void;
  close(): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { readonly code: number }) => void): void;
  addEventListener(type: "error", listener: () => void): void;
}

/** Websocket of browsers and Node.js. */
export type WebSocketConstructor = new (url: string) => WebSocketLike;

/** In milliseconds. */
export const SILENCE_MS = 15_000;

export interface SourceContext {
  readonly client: ServiceClient;
  readonly requestId: string;
  readonly pollIntervalMs: number;
  readonly signal: AbortSignal;
  /** @returns whether the status is new */
  readonly report: (result: PollResult) => boolean;
}

/** A status, or a transient failure. */
export type PollResult =
  | { readonly status: IntentStatus; readonly fault?: undefined }
  | { readonly status?: undefined; readonly fault: CrosscallError };

export async function pollStatus(
  client: ServiceClient,
  requestId: string,
  signal: AbortSignal | undefined,
): Promise<PollResult> {
  try {
    // One attempt, because the watch itself repeats.
    return { status: await getStatus(client, { requestId, maxTries: 1, signal }) };
  } catch (error) {
    if (isPassing(error)) return { fault: error };
    throw error;
  }
}

/** Whether a later request can succeed. */
export function isPassing(error: unknown): error is CrosscallError {
  if (error instanceof ServiceError) return error.status >= 500 || error.status === 429;
  return error instanceof CrosscallError && ["SERVICE_UNREACHABLE", "TIMED_OUT"].includes(error.code);
}

/** Poller that supplements a source of pushed events. */
export interface StatusPoller {
  heard(): void;
  /** Expects pushed events from now on, and polls immediately, because some events may have been missed. */
  setLive(isLive: boolean): void;
  /** Polls until the signal aborts, or the service rejects the request permanently. */
  run(): Promise<never>;
}

export interface StatusPollerOptions {
  /** Time without a pushed event before a poll. */
  readonly silenceMs: number;
  readonly isLive: boolean;
  /** Called when a poll after silence found a change, which means that pushed events do not arrive. */
  readonly onMissed?: () => void;
}

/** Creates a poller, which polls at the interval while there are no pushed events, and otherwise after silence. */
export function createStatusPoller(context: SourceContext, options: StatusPollerOptions): StatusPoller {
  const { client, requestId, signal, report } = context;
  let { isLive } = options;
  let quietSince = performance.now();
  let wake: () => void = () => undefined;

  /** @returns whether polling ended because of silence */
  async function pause(): Promise<boolean> {
    for (;;) {
      const remainingMs = quietSince + (isLive ? options.silenceMs : context.pollIntervalMs) - performance.now();
      if (remainingMs <= 0) return isLive;
      const woken = createDeferred<boolean>();
      wake = () => woken.resolve(true);
      const timer = setTimeout(() => woken.resolve(false), Math.min(Math.ceil(remainingMs), TIMER_MAX_MS));
      try {
        if (await abortable(woken.promise, signal, `request ${requestId}`)) return false;
      } finally {
        clearTimeout(timer);
      }
    }
  }

  return {
    heard() {
      quietSince = performance.now();
    },
    setLive(value) {
      if (isLive === value) return;
      isLive = value;
      wake();
    },
    async run() {
      for (let wasSilent = false; ;) {
        wake = () => undefined;
        const wasLive = isLive;
        const result = await pollStatus(client, requestId, signal);
        if (report(result) && wasSilent) options.onMissed?.();
        quietSince = performance.now();
        // The poll's response does not include a change during the poll.
        wasSilent = wasLive === isLive ? await pause() : false;
      }
    },
  };
}
