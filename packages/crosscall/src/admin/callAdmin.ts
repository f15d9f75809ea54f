import type { Static, TSchema } from "typebox";

import {
  AbortedError,
  InvalidInputError,
  ServiceError,
  ServiceUnreachableError,
  TimedOutError,
} from "@crosscall/protocol/core";
import { parseData, parseJson } from "@crosscall/protocol/schema";
import { isLoopback } from "@crosscall/oracle/server";
import { networkUrl, readRemembered } from "../options/rememberedNetwork.ts";
import type { AdminOptions } from "./adminOptions.ts";

export interface AdminCall<Schema extends TSchema> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** With its query: `/admin/keys`. */
  readonly path: string;
  readonly body?: unknown;
  readonly schema: Schema;
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 30_000;

/** One call, without retries. */
export async function callAdmin<Schema extends TSchema>(
  { url, adminKey }: AdminOptions,
  call: AdminCall<Schema>,
): Promise<Static<Schema>> {
  const endpoint = `${call.method} ${call.path}`;
  const target = readUrl(url ?? networkUrl(), call.path);
  const { status, text } = await send(target, requireAdminKey(adminKey, target), call, endpoint);
  if (status < 200 || status > 299) throw toError(status, text, endpoint);
  return parseData(call.schema, parseJson(text), `the response of ${endpoint}`);
}

function readUrl(url: string, path: string): string {
  if (/^https?:$/u.test(URL.canParse(url) ? new URL(url).protocol : "")) return `${url.replace(/\/+$/u, "")}${path}`;
  throw new InvalidInputError({
    field: "--url",
    value: url,
    reason: "it is not an HTTP URL",
    hint: "Pass the service's URL, as `crosscall up` prints it.",
  });
}

/** The key of this folder's network is sent to its service only. */
function requireAdminKey(given: string | undefined, target: string): string {
  // Shell scripts pass an empty variable for none.
  if (given !== undefined && given !== "") return given;
  const { url, adminKey } = readRemembered();
  if (adminKey !== undefined && url !== undefined && isSameService(target, url)) return adminKey;
  throw new InvalidInputError({
    field: "--admin-key",
    value: undefined,
    reason: "no network of this folder has this URL and its own key",
    hint: "Run the command in the folder of `crosscall up`, or pass the key that it prints.",
  });
}

function isSameService(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)];
  return a.origin === b.origin || (a.port === b.port && isLoopback(a.hostname) && isLoopback(b.hostname));
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function send(
  url: string,
  adminKey: string,
  { method, body, signal }: Pick<AdminCall<TSchema>, "method" | "body" | "signal">,
  endpoint: string,
): Promise<Answer> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      method,
      headers: { "x-admin-key": adminKey, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A followed redirect would carry the admin key to another host.
      redirect: "manual",
      signal: AbortSignal.any([signal, timeout]),
    });
    // The body may stall as the head may.
    return { status: response.status, text: await response.text() };
  } catch (cause) {
    if (signal.aborted) throw new AbortedError({ what: endpoint, cause });
    if (timeout.aborted) throw new TimedOutError({ what: endpoint, timeoutMs: TIMEOUT_MS, hint: "Try again." });
    throw new ServiceUnreachableError({ endpoint, cause });
  }
}

function toError(status: number, text: string, endpoint: string): ServiceError {
  const body = parseJson(text);
  const fields = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const { message, errorCode, errorData, hint } = fields;
  return new ServiceError({
    status,
    errorCode: typeof errorCode === "string" ? errorCode : undefined,
    errorData,
    endpoint,
    message: `${endpoint} returned status ${status}: ${typeof message === "string" ? message : "no message"}`,
    hint:
      status === 401
        ? "Pass the network's admin key with --admin-key; `crosscall up` prints it."
        : typeof hint === "string"
          ? hint
          : "Correct what the message names, and try again.",
  });
}
