import { InvalidInputError } from "../core/errors.ts";

/** Where the service is, and how to speak to it. Made by {@link createServiceClient}. */
export interface ServiceClient {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** The longest wait for one answer, in milliseconds. */
  readonly timeoutMs: number;
  readonly fetch: typeof globalThis.fetch;
}

/** What {@link createServiceClient} takes. */
export interface ServiceClientOptions {
  /** Base URL of the service. */
  readonly baseUrl: string;
  /** Sent as `x-api-key`; some endpoints require one. */
  readonly apiKey?: string;
  /** The longest wait for one answer, in milliseconds; 15,000 when left out. */
  readonly timeoutMs?: number;
  /** The platform's own when left out. */
  readonly fetch?: typeof globalThis.fetch;
}

/** What a client waits for one answer when it is not told otherwise, in milliseconds. */
const TIMEOUT_MS = 15_000;

/** Longer waits overflow the platform's timers. */
const TIMEOUT_MAX_MS = 2 ** 31 - 1;

/**
 * Makes a client of the service. It holds no connection and needs no closing.
 *
 * @throws {@link InvalidInputError} when the base URL is no plain HTTP URL, or the time-out no time
 */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const { baseUrl, timeoutMs = TIMEOUT_MS } = options;
  if (!isPlainHttpUrl(baseUrl)) {
    throw new InvalidInputError({
      field: "baseUrl",
      value: baseUrl,
      reason: "it is not an HTTP URL without credentials, query and fragment",
      cure: "Give the service's base URL, for example http://127.0.0.1:3000.",
    });
  }
  if (!Number.isInteger(timeoutMs) || timeoutMs <= 0 || timeoutMs > TIMEOUT_MAX_MS) {
    throw new InvalidInputError({
      field: "timeoutMs",
      value: timeoutMs,
      reason: `it is not a whole number of milliseconds from 1 to ${TIMEOUT_MAX_MS}`,
      cure: "Give for example 15000, or leave it out.",
    });
  }
  const client = {
    baseUrl: baseUrl.replace(/\/+$/u, ""),
    apiKey: options.apiKey,
    timeoutMs,
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
  };
  // The key stays out of logs: it is not listed when the client is printed or serialised.
  return Object.defineProperty(client, "apiKey", { enumerable: false });
}

function isPlainHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return ["http:", "https:"].includes(protocol) && [username, password, search, hash].every((part) => part === "");
}
