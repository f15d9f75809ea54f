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

/**
 * Makes a client of the service. It holds no connection and needs no closing.
 *
 * @throws {@link InvalidInputError} when the base URL is no HTTP URL
 */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const url = URL.canParse(options.baseUrl) ? new URL(options.baseUrl) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw new InvalidInputError({
      field: "baseUrl",
      value: options.baseUrl,
      reason: "it is not an HTTP URL",
      cure: "Give the service's base URL, for example http://127.0.0.1:3000.",
    });
  }
  const client = {
    baseUrl: options.baseUrl.replace(/\/+$/u, ""),
    apiKey: options.apiKey,
    timeoutMs: options.timeoutMs ?? 15_000,
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
  };
  // The key stays out of logs: it is not listed when the client is printed or serialised.
  return Object.defineProperty(client, "apiKey", { enumerable: false });
}
