import { type ByteArray, hexToBytes, stringToBytes } from "viem";

import { MalformedDataError } from "../../core/errors.ts";
import { readStatusEvent, type StatusEvent } from "../../protocol/request/statusEvent.ts";
import { WebhookRefusedError } from "./webhookRefusedError.ts";

/** Headers as Node.js, Fastify and `Headers` provide them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyWebhookParameters {
  /** The unparsed body: bytes or text. */
  readonly rawBody: string | Uint8Array;
  readonly headers: WebhookHeaders;
  /** The API key of the webhook. */
  readonly apiKey: string;
  /** Unix time in milliseconds. */
  readonly now: number;
  /** Maximum deviation of the webhook's time, in milliseconds; 300,000 by default. */
  readonly toleranceMs?: number;
}

/** In milliseconds. */
const TOLERANCE_MS = 300_000;

const SECONDS_BOUND = 1e11;

/**
 * Verifies that the service signed a webhook, recently (spec 4, section 4): the signature is the HMAC-SHA256 of
 * `${timestamp}.${rawBody}` with the API key, compared in constant time.
 *
 * @returns the event
 * @throws {@link WebhookRefusedError} when the signature or the time is not right
 * @throws {@link MalformedDataError} when the signature is right, but the body is another event, or has no id or status
 */
export async function verifyWebhook(parameters: VerifyWebhookParameters): Promise<StatusEvent> {
  const { headers, apiKey, now, toleranceMs = TOLERANCE_MS } = parameters;
  const timestamp = readHeader(headers, "x-signature-timestamp");
  const signature = readHeader(headers, "x-signature-sha256");
  if (timestamp === undefined || !/^\d{1,15}$/u.test(timestamp)) throw new WebhookRefusedError("timestamp-missing");
  if (signature === undefined) throw new WebhookRefusedError("signature-missing");
  const body = typeof parameters.rawBody === "string" ? stringToBytes(parameters.rawBody) : parameters.rawBody;
  if (!(await isSigned(apiKey, `${timestamp}.`, body, signature))) throw new WebhookRefusedError("signature-wrong");
  const ageMs = now - toMilliseconds(Number(timestamp));
  if (ageMs > toleranceMs) throw new WebhookRefusedError("timestamp-old");
  if (-ageMs > toleranceMs) throw new WebhookRefusedError("timestamp-ahead");
  return readStatusEvent(parseJson(body), "the webhook");
}

/** Seconds or milliseconds: as seconds, a number above the bound would be after the year 5000. */
function toMilliseconds(timestamp: number): number {
  return timestamp < SECONDS_BOUND ? timestamp * 1_000 : timestamp;
}

async function isSigned(apiKey: string, prefix: string, body: Uint8Array, signature: string): Promise<boolean> {
  if (!/^[0-9a-f]{64}$/iu.test(signature)) return false;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", own(stringToBytes(apiKey)), algorithm, false, ["verify"]);
  const message = own(new Uint8Array([...stringToBytes(prefix), ...body]));
  return crypto.subtle.verify("HMAC", key, own(hexToBytes(`0x${signature}`)), message);
}

/** WebCrypto requires bytes without a shared buffer. */
function own(bytes: ByteArray): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === "string" ? found : undefined;
}

function isHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === "function";
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (cause) {
    throw new MalformedDataError({ what: "the webhook", path: "", reason: "it is not JSON", cause });
  }
}
