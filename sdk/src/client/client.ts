import { InvalidInputError } from "../core/errors.ts";
import type { CallChecker } from "./callChecker.ts";
import type { DeprecationNotice } from "./deprecationNotice.ts";
import { type CallLimiter, createLimiter } from "./transport/limiter.ts";
import { checkTransportOptions, type TransportOptions, type TransportSettings } from "./transport/settings.ts";

/** Address and settings of the service. Created by `createServiceClient`. */
export interface ServiceClient extends TransportSettings {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** Not shown when the client is printed or serialised. */
  readonly apiKey: string | undefined;
  /** What looks at the calls of a request before it is quoted. */
  readonly checkCalls: CallChecker | undefined;
  /** Told of an endpoint that the service is about to retire, once. */
  readonly onDeprecation: ((notice: DeprecationNotice) => void) | undefined;
  /** What keeps this client's calls below their limits; not shown. */
  readonly limiter: CallLimiter;
}

/** Options of `createServiceClient`. */
export interface ServiceClientOptions extends TransportOptions {
  /** Base URL of the service. */
  readonly baseUrl: string;
  /** Sent as `x-api-key`; some endpoints require one. */
  readonly apiKey?: string;
  /**
   * `checkCalls` of `crosscall/calls`: then every request with calls is checked before it is quoted, and refused when
   * they would lose funds or fail. It is given, not built in, so that who makes no calls does not carry it.
   */
  readonly checkCalls?: CallChecker;
  /** Told of an endpoint that the service is about to retire, once a client. */
  readonly onDeprecation?: (notice: DeprecationNotice) => void;
}

/**
 * Creates a client of the service. It holds no connection and needs no closing. Rate limits are counted per client, so
 * use one client per API key.
 *
 * @throws {@link InvalidInputError} when the base URL is no plain HTTP URL, the API key cannot stand in a header, or an
 * option is out of its range
 */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const { baseUrl, apiKey } = options;
  if (!isPlainHttpUrl(baseUrl)) {
    throw new InvalidInputError({
      field: "baseUrl",
      value: baseUrl,
      reason: "it is not an HTTP URL without credentials, query and fragment",
      hint: "Give the service's base URL, for example http://127.0.0.1:3000.",
    });
  }
  // Checked here, since the platform would name the key in the error with which it refuses the header.
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/u.test(apiKey)) {
    throw new InvalidInputError({
      field: "apiKey",
      value: "[api key]",
      reason: "it is empty or has characters that cannot stand in a header",
      hint: "Copy the key anew, without spaces and line ends, or leave it out.",
    });
  }
  const settings = checkTransportOptions(options);
  const { limits, maxConcurrentCalls, timer } = settings;
  const { checkCalls, onDeprecation } = options;
  const client = { baseUrl: baseUrl.replace(/\/+$/u, ""), ...settings, checkCalls, onDeprecation };
  // The key stays out of logs: a getter that is not listed shows nothing, also where hidden properties are printed.
  return Object.defineProperties(client, {
    apiKey: { get: () => apiKey },
    limiter: { value: createLimiter(limits, maxConcurrentCalls, timer) },
  }) as ServiceClient;
}

function isPlainHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return ["http:", "https:"].includes(protocol) && [username, password, search, hash].every((part) => part === "");
}
