import {
  abortable,
  CrosscallError,
  MalformedDataError,
  type ServiceCallFacts,
  ServiceError,
  ServiceUnreachableError,
  throwIfAborted,
  TimedOutError,
  waitOn,
  withTimeLimit,
} from "@crosscall/protocol/core";
import { isTransientErrorCode } from "@crosscall/protocol/errors";
import { parseJson } from "@crosscall/protocol/schema";
import type { ServiceClient } from "../client.ts";
import { rulesOf } from "./endpoints.ts";
import type { Redactor } from "./redact.ts";

type Outcome =
  | { readonly answer: Answer; readonly error?: undefined }
  | { readonly answer?: undefined; readonly error: CrosscallError; readonly isUnsent: boolean };

const RETRIED_STATUSES = [502, 503, 504];

/** Error codes of fetch when nothing was sent. */
const UNSENT_CODES = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
];

/**
 * Retries transient failures of repeatable requests, and returns the last response.
 *
 * @throws {@link ServiceUnreachableError} without a response
 * @throws {@link TimedOutError} if one attempt or all attempts together take too long
 * @throws {@link MalformedDataError} if the response is too long
 * @throws {@link AbortedError} when the signal aborts
 */
export function exchange(client: ServiceClient, call: OutgoingCall, redactor: Redactor): Promise<Answer> {
  const { timer, totalTimeoutMs } = client;
  const endpoint = `${call.method} ${call.path}`;
  const { family, isRepeatable } = rulesOf(call.method, call.path);
  const maxTries = Math.min(call.maxTries ?? Infinity, client.retry.maxTries);
  const deadline = timer.now() + totalTimeoutMs;
  let tries = 0;
  let lastError: CrosscallError | undefined;
  const facts = (): ServiceCallFacts => ({ endpoint, tries, requestId: call.requestId });
  const onTimeout = (): TimedOutError =>
    new TimedOutError({
      what: endpoint,
      timeoutMs: totalTimeoutMs,
      hint: "Try again later, or increase the client's totalTimeoutMs or limit.",
      cause: lastError,
      call: facts(),
    });

  return withTimeLimit({ timer, timeoutMs: totalTimeoutMs, onTimeout, signal: call.signal }, async (signal) => {
    for (;;) {
      throwIfAborted(signal, endpoint);
      const leave = await client.limiter.enter(family, signal, endpoint);
      let outcome: Outcome;
      try {
        tries += 1;
        outcome = await tryOnce(client, call, { signal, facts: facts(), redactor });
      } finally {
        leave();
      }
      lastError = outcome.error;
      const delayMs = tries < maxTries && mayRepeat(outcome, isRepeatable) ? delayOf(client, outcome, tries) : Infinity;
      if (timer.now() + delayMs < deadline) {
        await waitOn(timer, delayMs, signal, endpoint);
      } else {
        if (outcome.answer === undefined) throw outcome.error;
        return outcome.answer;
      }
    }
  });
}

/** Whether the failure is transient and a retry is safe. */
function mayRepeat(outcome: Outcome, isRepeatable: boolean): boolean {
  if (outcome.answer === undefined) {
    if (outcome.error.code === "MALFORMED_DATA") return false;
    return isRepeatable || outcome.isUnsent;
  }
  const { isOk, status, body } = outcome.answer;
  // The service did not process this request.
  if (status === 429) return true;
  const isTransient = !isOk && (RETRIED_STATUSES.includes(status) || isTransientErrorCode(errorCodeOf(body)));
  return isTransient && isRepeatable;
}

/**
 * Returns the wait before the next attempt: full jitter below an exponential bound, in addition to the service's
 * `Retry-After`.
 */
function delayOf({ retry, random }: ServiceClient, { answer }: Outcome, tries: number): number {
  const boundMs = Math.min(retry.maxDelayMs, retry.baseDelayMs * 2 ** (tries - 1));
  return (answer?.retryAfterMs ?? 0) + Math.floor(random() * boundMs);
}

interface TryContext {
  readonly signal: AbortSignal;
  readonly facts: ServiceCallFacts;
  readonly redactor: Redactor;
}

async function tryOnce(client: ServiceClient, call: OutgoingCall, context: TryContext): Promise<Outcome> {
  const { facts, redactor } = context;
  const onTimeout = (): TimedOutError =>
    new TimedOutError({
      what: facts.endpoint,
      timeoutMs: client.timeoutMs,
      hint: "Try again, or increase the client's timeoutMs.",
      call: facts,
    });
  const { timer, timeoutMs } = client;
  return withTimeLimit({ timer, timeoutMs, onTimeout, signal: context.signal }, async (signal): Promise<Outcome> => {
    try {
      const answer = fetchResponse(client, call, { ...context, signal });
      return { answer: await abortable(answer, signal, facts.endpoint) };
    } catch (cause) {
      throwIfAborted(context.signal, facts.endpoint);
      const error = signal.aborted ? (signal.reason as TimedOutError) : cause;
      if (error instanceof CrosscallError) return { error, isUnsent: false };
      return {
        error: new ServiceUnreachableError({
          ...facts,
          endpoint: `${call.method} ${client.baseUrl}${call.path}`,
          cause: redactor.cause(cause),
        }),
        isUnsent: isUnsent(cause),
      };
    }
  });
}

async function fetchResponse(client: ServiceClient, call: OutgoingCall, context: TryContext): Promise<Answer> {
  const { facts, signal } = context;
  const response = await client.fetch(urlOf(client, call), {
    method: call.method,
    headers: {
      accept: "application/json",
      ...(call.body === undefined ? {} : { "content-type": "application/json" }),
      ...(client.apiKey === undefined ? {} : { "x-api-key": client.apiKey }),
      ...(call.token === undefined ? {} : { authorization: `Bearer ${call.token}` }),
    },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    // A followed redirect would carry the API key to another host.
    redirect: "manual",
    signal,
  });
  const text = await readBody(response, client.maxResponseBytes);
  const { status, ok: isOk, headers } = response;
  if (text === undefined && isOk) {
    throw new MalformedDataError({
      what: `the response of ${facts.endpoint}`,
      path: "",
      reason: `it is longer than ${client.maxResponseBytes} bytes`,
      hint: "Request less, or increase the client's maxResponseBytes.",
      call: facts,
    });
  }
  const retryAfterMs = parseRetryAfter(headers.get("retry-after"), client.timer.now());
  return { status, isOk, headers, body: parseJson(text ?? ""), retryAfterMs, tries: facts.tries };
}

function urlOf(client: ServiceClient, { path, query }: OutgoingCall): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? `${client.baseUrl}${path}` : `${client.baseUrl}${path}?${parameters.toString()}`;
}

function isUnsent(cause: unknown): boolean {
  if (typeof cause !== "object" || cause === null) return false;
  if ("code" in cause && UNSENT_CODES.includes(String(cause.code))) return true;
  return cause instanceof Error && isUnsent(cause.cause);
}

/**
 * @param maxBytes maximum length after decompression
 * @returns undefined if the body is longer; the remainder is not read
 */
async function readBody(response: Response, maxBytes: number): Promise<string | undefined> {
  // The platforms have different stream types.
  const body = response.body as ReadableStream<Uint8Array> | null;
  if (body === null) return "";
  const reader = body.getReader();
  if (Number(response.headers.get("content-length") ?? 0) > maxBytes) {
    await reader.cancel();
    return undefined;
  }
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.byteLength;
    if (length > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/**
 * Parses whole seconds or an HTTP date (RFC 9110, section 10.2.3).
 * @param now Unix time in milliseconds
 * @returns milliseconds from now, at least 0; undefined for other values
 */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d+$/u.test(text)) return Number(text) * 1_000;
  // Every HTTP date has a weekday. `Date.parse` alone would accept "1.5" and "-1".
  const time = /^[A-Za-z]{3,9},? /u.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}

/** Returns the service's error code, if the body has one. */
function errorCodeOf(body: unknown): string | undefined {
  const { errorCode, code } = fieldsOf(body);
  return textOf(errorCode ?? code);
}

/** Redacts the request's secrets. */
export function toServiceError(call: OutgoingCall, answer: Answer, redactor: Redactor): ServiceError {
  const { status, tries, retryAfterMs } = answer;
  const endpoint = `${call.method} ${call.path}`;
  const body = redactor.json(answer.body);
  const fields = fieldsOf(body);
  const errorCode = errorCodeOf(body);
  // The v2 listing returns its successor next to the message. Other endpoints return it in errorData.
  const successor = textOf(fields.successor);
  const migrationGuide = textOf(fields.migrationGuide);
  const errorData = fields.errorData ?? (successor === undefined ? undefined : { successor, migrationGuide });
  return new ServiceError({
    status,
    errorCode,
    errorData,
    endpoint,
    message: `${endpoint} returned status ${status}${errorCode === undefined ? "" : ` ${errorCode}`}: ${textOf(fields.message) ?? textOf(fields.error) ?? "no message"}`,
    hint: textOf(fields.hint) ?? textOf(fieldsOf(errorData).hint) ?? hintFor(status, errorCode, successor),
    tries,
    requestId: call.requestId ?? textOf(fields.requestId) ?? textOf(fieldsOf(errorData).requestId),
    retryAfterMs,
  });
}

function hintFor(status: number, errorCode: string | undefined, successor: string | undefined): string {
  if (errorCode !== undefined && isTransientErrorCode(errorCode)) return "This is temporary: try again in a moment.";
  if (status < 400) return "Pass the target as the base URL. Redirects are not followed.";
  if (status === 401 || status === 403) return "Pass an API key with this permission.";
  if (status === 410 && successor === "/quote/v3") {
    return "Pass apiKey or accessToken to the client, which then requests v3 quotes.";
  }
  if (status === 410 && successor !== undefined) return `Use ${successor}.`;
  if (status === 404) return "Check the id, and that it is from this service.";
  if (status === 429 && successor !== undefined)
    return `Use ${successor}: this endpoint allows fewer requests each month.`;
  if (status === 429) return "Wait before the next request, or use an API key with a higher limit.";
  if (status >= 500) return "The service failed: try again later.";
  return "Fix the problem in the message, then retry.";
}

/** Returns the fields of an error body, which can have any shape, because endpoints and proxies differ. */
function fieldsOf(body: unknown): Record<string, unknown> {
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export interface OutgoingCall {
  readonly method: "GET" | "POST";
  /** URL path from the base URL, without the query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  /** Access token, sent instead of an API key. */
  readonly token?: string | undefined;
  /** For errors. */
  readonly requestId?: string | undefined;
  /** Maximum number of attempts, if below the client's. */
  readonly maxTries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
  readonly status: number;
  readonly isOk: boolean;
  readonly headers: Headers;
  /** Parsed body; undefined for invalid JSON. */
  readonly body: unknown;
  /** Wait requested by the service, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Number of attempts so far. */
  readonly tries: number;
}
