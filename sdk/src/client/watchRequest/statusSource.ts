import type { ServiceClient } from "../client.ts";
import type { StatusFeed } from "../webhooks/statusFeed.ts";
import type { PollResult } from "./pollStatus.ts";

/** Source of statuses. */
export type StatusSource =
  /** The status endpoint, asked at an interval. */
  | { readonly kind: "polling" }
  /** The service's websocket, with polling while it cannot be reached, and a look whenever it was silent. */
  | {
      readonly kind: "websocket";
      /** URL of the websocket, `wss://…`, without the key: the client's API key is added. */
      readonly url: string;
      /** The platform's own when left out. */
      readonly WebSocket?: WebSocketConstructor;
      /** How long it may say nothing before the status is asked for, in milliseconds; 15,000 when left out. */
      readonly silenceMs?: number;
      /** The longest wait for a connection to be ready, in milliseconds; 10,000 when left out. */
      readonly connectTimeoutMs?: number;
    }
  /** What webhooks brought, with a look at the start and whenever they were silent. */
  | {
      readonly kind: "webhook";
      readonly feed: StatusFeed;
      /** How long nothing may come before the status is asked for, in milliseconds; 15,000 when left out. */
      readonly silenceMs?: number;
    };

/** What is used of a websocket. */
export interface WebSocketLike {
  send(data: string): void;
  close(): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { readonly code: number }) => void): void;
  addEventListener(type: "error", listener: () => void): void;
}

/** Makes a websocket, as browsers and Node do. */
export type WebSocketConstructor = new (url: string) => WebSocketLike;

/** How long a source that pushes may say nothing before the status is asked for, in milliseconds. */
export const SILENCE_MS = 15_000;

/** What a source works with. */
export interface SourceContext {
  readonly client: ServiceClient;
  readonly requestId: string;
  readonly pollIntervalMs: number;
  readonly signal: AbortSignal;
  /** Takes what was seen; tells whether it was news. */
  readonly report: (result: PollResult) => boolean;
}
