import { createHmac } from "node:crypto";
import { request as requestHttp, validateHeaderName, validateHeaderValue } from "node:http";
import { request as requestHttps } from "node:https";

import { abortable } from "@crosscall/protocol/core";
import type { StatusEvent, StatusUpdate } from "@crosscall/protocol/complete";
import { STATUS_EVENT } from "@crosscall/protocol/request/events";
import { resolveTarget, type Target, type TargetPolicy, TargetRejection } from "./target.ts";

export interface SendParameters {
  readonly url: string;
  readonly headers: WebhookHeaders;
  readonly apiKey: string;
  readonly data: StatusUpdate;
  /** Unix milliseconds. */
  readonly now: number;
  readonly policy: TargetPolicy;
  /** Timeout from name resolution to the response headers. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface SendOutcome {
  readonly isDelivered: boolean;
  readonly answerStatus: number | null;
  readonly problem: string | null;
}

/**
 * Sends an event once (spec 4, section 4). A 2xx status means delivered; redirects are not followed, and the body is
 * not read. Never throws.
 */
export async function sendWebhook(parameters: SendParameters): Promise<SendOutcome> {
  const { data, now, apiKey, timeoutMs } = parameters;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([timeout, parameters.signal]);
  const body = JSON.stringify({ event: STATUS_EVENT, timestamp: now, data } satisfies StatusEvent);
  try {
    const target = await abortable(resolveTarget(parameters.url, parameters.policy), signal, "a webhook");
    const headers = {
      ...parameters.headers,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "x-signature-timestamp": String(now),
      "x-signature-sha256": signWebhook(apiKey, now, body),
    };
    const answerStatus = await post(target, headers, body, signal);
    const isDelivered = answerStatus >= 200 && answerStatus < 300;
    return { isDelivered, answerStatus, problem: isDelivered ? null : problemOf(answerStatus) };
  } catch (error) {
    const problem = timeout.aborted ? `no response within ${timeoutMs} ms` : reasonOf(error);
    return { isDelivered: false, answerStatus: null, problem };
  }
}

/** Returns the hex HMAC-SHA256 of `${timestamp}.${body}` with the API key (spec 4, section 4). */
function signWebhook(apiKey: string, timestamp: number, body: string): string {
  return createHmac("sha256", apiKey).update(`${timestamp}.${body}`).digest("hex");
}

function post(
  { url, address }: Target,
  headers: Readonly<Record<string, string | number>>,
  body: string,
  signal: AbortSignal,
): Promise<number> {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const call = request(url, {
      method: "POST",
      headers,
      // Disables keep-alive, because a kept connection may lead to an address that the name no longer has.
      agent: false,
      lookup: (_hostname, options, done) => {
        if (options.all === true) done(null, [{ ...address }]);
        else done(null, address.address, address.family);
      },
      signal,
    });
    call.on("error", reject);
    call.on("response", (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    call.end(body);
  });
}

function problemOf(status: number): string {
  const isRedirect = status >= 300 && status < 400;
  return isRedirect ? `responded with ${status}: redirects are not followed` : `responded with ${status}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof TargetRejection) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  return `connection failed: ${code}`;
}

/** Headers of a webhook, in addition to those of the service. */
export type WebhookHeaders = Readonly<Record<string, string>>;

const HEADERS_MAX = 20;
const LENGTH_MAX = 8_192;

/** Headers that the service or the connection sets. */
const OWN_HEADERS =
  /^(x-signature-.*|content-.*|host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|date)$/iu;

export function findHeaderProblem(
  headers: WebhookHeaders,
): { readonly name: string; readonly reason: string } | undefined {
  const entries = Object.entries(headers);
  const names = entries.map(([name]) => name.toLowerCase());
  if (entries.length > HEADERS_MAX || entries.flat().join("").length > LENGTH_MAX) {
    return { name: "", reason: `must have at most ${HEADERS_MAX} headers of at most ${LENGTH_MAX} characters` };
  }
  for (const [index, [name, value]] of entries.entries()) {
    if (OWN_HEADERS.test(name)) return { name, reason: "is set by the service" };
    if (names.indexOf(name.toLowerCase()) !== index) return { name, reason: "is set twice" };
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      return { name, reason: "is not a valid header" };
    }
  }
  return undefined;
}
