import type { Static, TSchema } from "typebox";

import { throwIfAborted } from "../core/abort.ts";
import { MalformedDataError, ServiceError, ServiceUnreachableError, TimedOutError } from "../core/errors.ts";
import { parseData } from "../protocol/parse.ts";
import { isTransientErrorCode } from "../protocol/serviceError.ts";
import type { ServiceClient } from "./client.ts";

/** One call of the service. */
export interface ServiceCall<schema extends TSchema> {
  readonly method: "GET" | "POST";
  /** Path from the base URL, without the query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  /** Shape of the answer. */
  readonly schema: schema;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls the service once and parses its answer.
 *
 * @throws {@link ServiceError} for an error status
 * @throws {@link ServiceUnreachableError} when no answer comes
 * @throws {@link TimedOutError} when the answer takes longer than the client waits
 * @throws {@link MalformedDataError} when the answer has not the documented shape
 * @throws {@link AbortedError} when the signal fires
 */
export async function callService<schema extends TSchema>(
  client: ServiceClient,
  call: ServiceCall<schema>,
): Promise<Static<schema>> {
  const endpoint = `${call.method} ${call.path}`;
  const { response, text } = await exchange(client, call, endpoint);
  const body = parseJson(text);
  if (!response.ok) throw toServiceError(response.status, body, endpoint);
  if (body === undefined) {
    throw new MalformedDataError({ what: `the answer of ${endpoint}`, path: "", reason: "it is not JSON" });
  }
  return parseData(call.schema, body, `the answer of ${endpoint}`);
}

async function exchange(
  client: ServiceClient,
  call: ServiceCall<TSchema>,
  endpoint: string,
): Promise<{ response: Response; text: string }> {
  const timeout = AbortSignal.timeout(client.timeoutMs);
  try {
    const response = await client.fetch(urlOf(client, call), {
      method: call.method,
      headers: {
        accept: "application/json",
        ...(call.body === undefined ? {} : { "content-type": "application/json" }),
        ...(client.apiKey === undefined ? {} : { "x-api-key": client.apiKey }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      // Followed, a redirect would carry the API key to another host.
      redirect: "manual",
      signal: call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout]),
    });
    return { response, text: await response.text() };
  } catch (cause) {
    throwIfAborted(call.signal, endpoint);
    if (timeout.aborted) {
      throw new TimedOutError({
        what: endpoint,
        timeoutMs: client.timeoutMs,
        cure: "Try again, or give the client a longer timeoutMs.",
      });
    }
    throw new ServiceUnreachableError({ endpoint: `${call.method} ${client.baseUrl}${call.path}`, cause });
  }
}

function urlOf(client: ServiceClient, { path, query }: ServiceCall<TSchema>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? `${client.baseUrl}${path}` : `${client.baseUrl}${path}?${parameters.toString()}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toServiceError(status: number, body: unknown, endpoint: string): ServiceError {
  // Error bodies differ between endpoints and proxies: whatever is usable is taken.
  const fields = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const code = fields.errorCode ?? fields.code;
  const errorCode = typeof code === "string" ? code : undefined;
  const message = typeof fields.message === "string" ? fields.message : "no message";
  return new ServiceError({
    status,
    errorCode,
    errorData: fields.errorData,
    endpoint,
    message: `${endpoint} answered ${status}${errorCode === undefined ? "" : ` ${errorCode}`}: ${message}`,
    cure: cureOf(status, errorCode),
  });
}

function cureOf(status: number, errorCode: string | undefined): string {
  if (errorCode !== undefined && isTransientErrorCode(errorCode)) return "This passes: try again in a moment.";
  if (status < 400) return "Give the base URL that it points to: redirects are not followed.";
  if (status === 401 || status === 403) return "Give an API key that may do this.";
  if (status === 404) return "Check the id and that this service is the one that issued it.";
  if (status === 429) return "Wait before the next call, or use an API key with a higher limit.";
  if (status >= 500) return "The service failed: try again later.";
  return "Correct what the message names, and call again.";
}
