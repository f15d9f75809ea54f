import type { ServiceClient } from "../client.ts";
import type { StatusFeed } from "../webhooks/statusFeed.ts";
import type { PollResult } from "./pollStatus.ts";

/** Source of statuses. */
export type StatusSource =
  /** Polls the status endpoint. */
  | { readonly kind: "polling" }
  /** The service's websocket, with polling while disconnected and after silence. */
  | {
      readonly kind: "websocket";
      /** `wss://…`, without the API key, which is added. */
      readonly url: string;
      /** The platform's by default. */
      readonly WebSocket?: WebSocketConstructor;
      /** Polls after this time without a message, in milliseconds; 15,000 by default. */
      readonly silenceMs?: number;
      /** Timeout of a connection, in milliseconds; 10,000 by default. */
      readonly connectTimeoutMs?: number;
    }
  /** Events of webhooks, with a poll at the start and after silence. */
  | {
      readonly kind: "webhook";
      readonly feed: StatusFeed;
      /** Polls after this time without an event, in milliseconds; 15,000 by default. */
      readonly silenceMs?: number;
    };

export interface WebSocketLike {
  send(data: string): void;
  close(): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { readonly code: number }) => void): void;
  addEventListener(type: "error", listener: () => void): void;
}

/** As in browsers and Node.js. */
export type WebSocketConstructor = new (url: string) => WebSocketLike;

/** In milliseconds. */
export const SILENCE_MS = 15_000;

export interface SourceContext {
  readonly client: ServiceClient;
  readonly requestId: string;
  readonly pollIntervalMs: number;
  readonly signal: AbortSignal;
  /** @returns whether it was news */
  readonly report: (result: PollResult) => boolean;
}
