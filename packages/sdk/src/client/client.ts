import type { CheckCallsParameters } from "../calls/check/parameters.ts";
import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidInputError } from "@crosscall/protocol/core";
import { type CallLimiter, createLimiter } from "./transport/limiter.ts";
import { checkTransportOptions, type TransportOptions, type TransportSettings } from "./transport/settings.ts";
import type { CallFinding } from "../calls/check/rules.ts";

/** Address and settings of the service. Created by `createServiceClient`. */
export interface ServiceClient extends TransportSettings {
  /** Base URL without a trailing slash. */
  readonly baseUrl: string;
  /** Hidden when the client is printed or serialized. */
  readonly apiKey: string | undefined;
  /** Function that returns an access token to send instead of an API key. Hidden, as the API key is. */
  readonly accessToken: (() => Promise<string>) | undefined;
  /** Quote version to request; undefined for the newest version that the service has. */
  readonly quoteVersion: 2 | 3 | undefined;
  /** Checker for the calls of a request, which runs before the quote is requested. */
  readonly checkCalls: CallChecker | undefined;
  /** Called once per endpoint that is about to be retired. */
  readonly onDeprecation: ((notice: DeprecationNotice) => void) | undefined;
  /** Limiter that enforces rate limits. Hidden, as the API key is. */
  readonly limiter: CallLimiter;
}

/** Options of `createServiceClient`. */
export interface ServiceClientOptions extends TransportOptions {
  /** Base URL of the service. */
  readonly baseUrl: string;
  /** Sent as `x-api-key`. Some endpoints require an API key. Keep it on your server. */
  readonly apiKey?: string;
  /**
   * Returns an access token from your backend, which creates it with `createAccessToken`. Called before the first
   * request, and again before the token expires. For browsers, instead of `apiKey`.
   */
  readonly accessToken?: () => Promise<string>;
  /**
   * Quote version to request. Defaults to 3 with an API key or an access token, which the service requires for that
   * version, and to 2 otherwise or if the service does not have version 3.
   */
  readonly quoteVersion?: 2 | 3;
  /**
   * Pass `checkCalls` of `@crosscall/sdk/calls` to check every request with calls before the quote, and reject calls
   * that would fail or lose funds. Injected, so that apps without calls do not bundle the checker.
   */
  readonly checkCalls?: CallChecker;
  /** Called once per client when an endpoint is about to be retired. */
  readonly onDeprecation?: (notice: DeprecationNotice) => void;
}

/**
 * Creates a client for the service. The client holds no connection and need not be closed. Rate limits are counted per
 * client, so use one client per API key.
 *
 * @throws {@link InvalidInputError} when the base URL is not a plain HTTP URL, the API key is not a valid header value,
 * or an option is out of range
 */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  rejectUnknownOptions(options, {
    baseUrl: 1,
    apiKey: 1,
    accessToken: 1,
    quoteVersion: 1,
    checkCalls: 1,
    onDeprecation: 1,
    timeoutMs: 1,
    totalTimeoutMs: 1,
    retry: 1,
    limits: 1,
    maxConcurrentCalls: 1,
    maxResponseBytes: 1,
    fetch: 1,
    timer: 1,
    random: 1,
  });
  const { baseUrl, apiKey } = options;
  if (!isPlainHttpUrl(baseUrl)) {
    throw new InvalidInputError({
      field: "baseUrl",
      value: baseUrl,
      reason: "it must be an HTTP URL without credentials, query and fragment",
      hint: "Pass the service's base URL, for example http://127.0.0.1:3000.",
    });
  }
  // The platform's error for an invalid header would contain the key.
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/u.test(apiKey)) {
    throw new InvalidInputError({
      field: "apiKey",
      value: "[api key]",
      reason: "it is empty or has characters that a header cannot contain",
      hint: "Copy the key again, without spaces and line breaks, or omit it.",
    });
  }
  const { accessToken, quoteVersion } = options;
  if (apiKey !== undefined && accessToken !== undefined) {
    throw new InvalidInputError({
      field: "accessToken",
      value: "[function]",
      reason: "the service rejects requests with both an API key and an access token",
      hint: "Pass apiKey on a server, or accessToken in a browser.",
    });
  }
  const settings = checkTransportOptions(options);
  const { limits, maxConcurrentCalls, timer } = settings;
  const { checkCalls, onDeprecation } = options;
  const client = { baseUrl: baseUrl.replace(/\/+$/u, ""), ...settings, quoteVersion, checkCalls, onDeprecation };
  // A non-enumerable getter does not appear in logs, even if they print hidden properties.
  return Object.defineProperties(client, {
    apiKey: { get: () => apiKey },
    accessToken: { value: accessToken },
    limiter: { value: createLimiter(limits, maxConcurrentCalls, timer) },
  }) as ServiceClient;
}

function isPlainHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return ["http:", "https:"].includes(protocol) && [username, password, search, hash].every((part) => part === "");
}

export type CallChecker = (parameters: CheckCallsParameters) => readonly CallFinding[];

/** Whether the client's requests have an API key or an access token. */
export function hasCredentials({ apiKey, accessToken }: ServiceClient): boolean {
  return apiKey !== undefined || accessToken !== undefined;
}

/**
 * @throws {@link InvalidInputError} when the client has neither key nor token, because the service would reject the
 * request
 */
export function requireApiKey(client: ServiceClient, endpoint: string): void {
  if (hasCredentials(client)) return;
  throw new InvalidInputError({
    field: "client.apiKey",
    value: undefined,
    reason: `${endpoint} requires an API key`,
    hint: "Create the client with createServiceClient({ baseUrl, apiKey }).",
  });
}

/** Notice of an endpoint that the service will retire (spec 4, section 4). */
export interface DeprecationNotice {
  /** Method and path. */
  readonly endpoint: string;
  readonly message: string | undefined;
  /** Time when the deprecation starts. */
  readonly deprecatedAt: Date | undefined;
  /** Time when rate limits are reduced. */
  readonly throttledFrom: Date | undefined;
  /** Time when the endpoint ends. */
  readonly sunsetAt: Date | undefined;
  /** Replacement, as stated in the body. */
  readonly successor: string | undefined;
  readonly migrationGuide: string | undefined;
  /** URLs of the `Link` header by relation: `deprecation`, `sunset`, `successor-version`. */
  readonly links: Readonly<Record<string, string>>;
}
