import { InvalidInputError, sleep } from "@crosscall/protocol/core";
import { ATTESTATION_ROUTES } from "@crosscall/protocol/attestation";
import { isObject, parseJson } from "@crosscall/protocol/schema";

export interface OracleTarget {
  /** Base URL. */
  readonly url: string;
  /** Undefined for none. */
  readonly apiKey: string | undefined;
  readonly signal: AbortSignal;
}

export interface OracleResponse {
  /** HTTP status; 0 if there is no response. */
  readonly status: number;
  /** Reason why there is no response. */
  readonly text: string;
}

/** A request from a file of requests. */
export interface OracleRequest {
  /** Without `/attestations/`. */
  readonly route: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface OracleHttp {
  /** @param withKey whether to send the key; true by default */
  get(path: string, withKey?: boolean): Promise<OracleResponse>;
  /** Whether the oracle requests the signatures of its peers. */
  attest(request: OracleRequest, peers: boolean): Promise<OracleResponse>;
}

const TIMEOUT_MS = 60_000;
/** Number of retries after a rate limit response. Oracles allow few requests per second without a key. */
const RATE_LIMIT_RETRIES = 10;
const RETRY_AFTER_MAX_S = 60;

/**
 * Sends a request. Returns a failure as status 0. Waits while the oracle limits the rate.
 *
 * @throws {@link AbortedError} once the signal fires
 */
export function openOracleHttp({ url, apiKey, signal }: OracleTarget): OracleHttp {
  const base = url.replace(/\/+$/u, "");
  const send = async (path: string, init: RequestInit, key: string | undefined): Promise<OracleResponse> => {
    const headers = {
      ...(init.body === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { "x-api-key": key }),
    };
    for (let retries = 0; ; retries += 1) {
      let response: Response;
      let text: string;
      try {
        const timeout = AbortSignal.timeout(TIMEOUT_MS);
        // Does not follow redirects, which could send the key to another host.
        const options = { ...init, headers, redirect: "manual", signal: AbortSignal.any([signal, timeout]) } as const;
        response = await fetch(`${base}${path}`, options);
        text = await response.text();
      } catch (error) {
        signal.throwIfAborted();
        return { status: 0, text: reasonOf(error) };
      }
      if (response.status !== 429 || retries >= RATE_LIMIT_RETRIES) return { status: response.status, text };
      const seconds = Number(response.headers.get("retry-after") ?? 1);
      await sleep(Math.min(seconds > 0 ? seconds : 1, RETRY_AFTER_MAX_S) * 1000, signal, "the oracle's rate limit");
    }
  };
  return {
    get: (path, withKey = true) => send(path, { method: "GET" }, withKey ? apiKey : undefined),
    attest({ route, body }, peers) {
      const content = JSON.stringify({ ...body, requestPeerSignatures: peers });
      return send(`/attestations/${route}`, { method: "POST", body: content }, apiKey);
    },
  };
}

/** Returns the reason for a failure, such as ECONNREFUSED. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.message;
}

/** Returns the hint for status 401, or undefined for another status. */
export function keyHint(status: number, apiKey: string | undefined, passKey: string): string | undefined {
  if (status !== 401) return undefined;
  return apiKey === undefined
    ? `The oracle requires an API key: ${passKey}.`
    : "The oracle rejects this API key. Pass only the key: in the oracle's API_KEYS, `:` separates the key from its label.";
}

/** @throws {@link InvalidInputError} if it is not an HTTP URL */
export function requireHttpUrl(url: string, field: string): void {
  if (/^https?:$/u.test(URL.canParse(url) ? new URL(url).protocol : "")) return;
  const reason = "it is not an HTTP URL";
  throw new InvalidInputError({ field, value: url, reason, hint: "Pass the oracle's base URL." });
}

export interface NumberedRequest extends OracleRequest {
  /** From 1. */
  readonly line: number;
}

const PREFIX = "/attestations/";

/**
 * Reads requests from JSON lines `{ "route", "body" }`. Skips empty lines and ignores other fields.
 *
 * @param field name of the option or argument with the file
 * @throws {@link InvalidInputError} for a line that is not a request
 */
export async function* readRequests(
  lines: AsyncIterable<string> | Iterable<string>,
  field: string,
): AsyncGenerator<NumberedRequest> {
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (text.trim() !== "") yield { line, ...parseRequest(text, `${field}, line ${line}`) };
  }
}

function parseRequest(text: string, field: string): OracleRequest {
  const refuse = (reason: string): InvalidInputError =>
    new InvalidInputError({
      field,
      value: text.slice(0, 80),
      reason,
      hint: 'Write each request on one line: {"route": "depository-deposits/v1", "body": {…}}',
    });
  const content = parseJson(text);
  if (!isObject(content)) throw refuse("it is not a JSON object");
  const { route: stated, body } = content;
  if (typeof stated !== "string") throw refuse("it has no route");
  if (!isObject(body)) throw refuse("it has no body");
  const route = stated.startsWith(PREFIX) ? stated.slice(PREFIX.length) : stated;
  if (!Object.hasOwn(ATTESTATION_ROUTES, route)) throw refuse(`oracles have no route ${route}`);
  return { route, body };
}
