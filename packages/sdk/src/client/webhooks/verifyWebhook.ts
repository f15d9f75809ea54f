import { type ByteArray, hexToBytes, stringToBytes } from "viem";

import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidInputError, MalformedDataError } from "@crosscall/protocol/core";
import { readStatusEvent, type StatusEvent } from "@crosscall/protocol/request/events";
import { WebhookRefusedError } from "./webhookRefusedError.ts";

/** Headers as Node.js, Fastify and `Headers` provide them, or as pairs. Names can have any case. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Iterable<readonly [name: string, value: string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** An unparsed body: bytes or text. */
export type RawBody = string | Uint8Array | ArrayBuffer;

export interface VerifyWebhookParameters {
  /**
   * The unparsed body: bytes or text. A parsed body cannot be verified, because the signature covers the body's bytes.
   */
  readonly rawBody: RawBody;
  readonly headers: WebhookHeaders;
  /** The API key of the webhook. */
  readonly apiKey: string;
  /** Current Unix time in milliseconds. */
  readonly now: number;
  /** Maximum deviation of the webhook's time, in milliseconds. Defaults to 300,000. */
  readonly toleranceMs?: number;
}

/** In milliseconds. */
const TOLERANCE_MS = 300_000;

const SECONDS_BOUND = 1e11;

/**
 * Verifies that the service recently signed a webhook (spec 4, section 4): the signature is the HMAC-SHA256 of
 * `${timestamp}.${rawBody}` with the API key, compared in constant time.
 *
 * @returns the event
 * @throws {@link WebhookRefusedError} when the signature or the time is invalid, or the body is missing or already
 * parsed
 * @throws {@link InvalidInputError} without an API key, or if a time is not a number
 * @throws {@link MalformedDataError} when the signature is valid, but the body is a different event, or has no id or
 * status
 */
export async function verifyWebhook(parameters: VerifyWebhookParameters): Promise<StatusEvent> {
  rejectUnknownOptions(parameters, { rawBody: 1, headers: 1, apiKey: 1, now: 1, toleranceMs: 1 });
  const { headers, apiKey, now, toleranceMs = TOLERANCE_MS } = parameters;
  requireWebhookKey(apiKey);
  requireTime("now", now);
  requireTime("toleranceMs", toleranceMs);
  const timestamp = readHeader(headers, "x-signature-timestamp");
  const signature = readHeader(headers, "x-signature-sha256");
  if (timestamp === undefined || !/^\d{1,15}$/u.test(timestamp)) throw new WebhookRefusedError("timestamp-missing");
  if (signature === undefined) throw new WebhookRefusedError("signature-missing");
  const body = bytesOf(parameters.rawBody);
  if (!(await isSigned(apiKey, `${timestamp}.`, body, signature))) throw new WebhookRefusedError("signature-wrong");
  const ageMs = now - toMilliseconds(Number(timestamp));
  if (ageMs > toleranceMs) throw new WebhookRefusedError("timestamp-old");
  if (-ageMs > toleranceMs) throw new WebhookRefusedError("timestamp-ahead");
  return readStatusEvent(parseJson(body), "the webhook");
}

/**
 * Requires a key, because an unset environment variable would otherwise make the text `null` a key that anyone can use.
 * @throws {@link InvalidInputError} without a key
 */
export function requireWebhookKey(apiKey: unknown): void {
  if (typeof apiKey === "string" && apiKey !== "") return;
  throw new InvalidInputError({
    field: "apiKey",
    value: undefined,
    reason: "webhooks are signed with the API key",
    hint: "Pass the API key of the webhook, and check that its environment variable is set.",
  });
}

/** Requires a number: a comparison with NaN would accept webhooks of any age. */
function requireTime(field: string, value: unknown): void {
  if (typeof value === "number" && Number.isFinite(value)) return;
  throw new InvalidInputError({ field, value, reason: "it must be a number", hint: "Pass milliseconds." });
}

/** Converts a time in seconds or milliseconds. In seconds, a number above the bound would be after the year 5000. */
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

/** Copies bytes, because WebCrypto requires bytes without a shared buffer. */
function own(bytes: ByteArray): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

/** Returns undefined unless the body is unparsed. Buffers from other realms and from `node:buffer` are views too. */
export function rawBytes(body: unknown): Uint8Array | undefined {
  if (typeof body === "string") return stringToBytes(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  return Object.prototype.toString.call(body) === "[object ArrayBuffer]"
    ? new Uint8Array(body as ArrayBuffer)
    : undefined;
}

function bytesOf(body: unknown): Uint8Array {
  if (body === undefined || body === null) throw new WebhookRefusedError("body-missing");
  const bytes = rawBytes(body);
  if (bytes === undefined) throw new WebhookRefusedError("body-parsed");
  // Shape of a stream that was already read.
  if (bytes.length === 0) throw new WebhookRefusedError("body-missing");
  return bytes;
}

/** Returns undefined unless there is exactly one value. */
function readHeader(headers: WebhookHeaders | null | undefined, name: string): string | undefined {
  const entries: readonly unknown[] = isIterable(headers) ? [...headers] : Object.entries(headers ?? {});
  const values = entries.flatMap((entry): unknown => {
    const [key, value] = Array.isArray(entry) ? (entry as readonly unknown[]) : [];
    return typeof key === "string" && key.toLowerCase() === name ? value : [];
  });
  if (values.length === 0 && isHeaders(headers)) return headers.get(name) ?? undefined;
  const [value, ...others] = values;
  return typeof value === "string" && others.length === 0 ? value : undefined;
}

function isIterable(headers: unknown): headers is Iterable<unknown> {
  return typeof headers === "object" && headers !== null && Symbol.iterator in headers;
}

function isHeaders(headers: unknown): headers is { get(name: string): string | null | undefined } {
  return typeof headers === "object" && headers !== null && "get" in headers && typeof headers.get === "function";
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (cause) {
    throw new MalformedDataError({ what: "the webhook", path: "", reason: "it is not JSON", cause });
  }
}
