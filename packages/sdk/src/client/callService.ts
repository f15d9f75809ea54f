import type { Static, TSchema } from "typebox";

import { MalformedDataError, ServiceError } from "@crosscall/protocol/core";
import {
  findMismatch,
  isPresent,
  type Mismatch,
  type ReadResponse,
  readResponse,
  type WithUnreadable,
} from "@crosscall/protocol/schema";
import type { ServiceClient } from "./client.ts";
import { type Answer, exchange, type OutgoingCall, toServiceError } from "./transport/exchange.ts";
import { createRedactor } from "./transport/redact.ts";

export interface ServiceCall<Schema extends TSchema, Needed extends string = never> extends OutgoingCall {
  /** Documented shape of the response. */
  readonly schema: Schema;
  /** Top-level fields that the caller requires. All others can be missing. */
  readonly needs?: readonly Needed[];
  /** Extra API keys in the query to redact from errors. */
  readonly secrets?: readonly string[];
  /** Called with the last response before it is parsed, even for an error status. */
  readonly onAnswer?: (answer: Answer) => void;
}

export type ServiceResponse<Schema extends TSchema, Needed extends string> = ReadResponse<Schema> & {
  [Name in Needed & keyof ReadResponse<Schema>]-?: NonNullable<ReadResponse<Schema>[Name]>;
};

/** Calls the service with retries, and parses the response. */
export async function callService<Schema extends TSchema, Needed extends string = never>(
  client: ServiceClient,
  call: ServiceCall<Schema, Needed>,
): Promise<ServiceResponse<Schema, Needed>> {
  const { body, malformed } = await requestJson(client, call);
  const read: WithUnreadable & Readonly<Record<string, unknown>> = readResponse(call.schema, body);
  const unreadable = read.unreadable?.fields ?? [];
  const whole = unreadable.find(({ path }) => path === "");
  if (whole !== undefined) throw malformed(whole);
  for (const name of call.needs ?? []) {
    if (isPresent(read[name])) continue;
    const wrong = unreadable.find(({ path }) => path.split(/[.[]/u, 1)[0] === name);
    throw malformed(wrong ?? { path: name, reason: "it is missing" });
  }
  return read as ServiceResponse<Schema, Needed>;
}

/** Requires every documented field, for services whose responses are signed or verified. */
export async function callStrictly<Schema extends TSchema>(
  client: ServiceClient,
  call: Omit<ServiceCall<Schema>, "needs">,
): Promise<Static<Schema>> {
  const { body, malformed } = await requestJson(client, call);
  const mismatch = findMismatch(call.schema, body);
  if (mismatch !== undefined) throw malformed(mismatch);
  return body as Static<Schema>;
}

/** Replaces a rejected token once. The retry is safe, because the service did not process the request. */
async function exchangeWithToken(client: ServiceClient, call: Omit<ServiceCall<TSchema>, "needs">) {
  const { accessToken } = client;
  for (let isRepeated = false; ; isRepeated = true) {
    const current =
      accessToken &&
      (await (await import("./transport/accessToken.ts")).currentAccessToken(client, accessToken, call.signal));
    const redactor = createRedactor([client.apiKey, current?.token, ...(call.secrets ?? [])]);
    const answer = await exchange(client, { ...call, token: current?.token }, redactor);
    if (answer.status !== 401 || current === undefined) return { answer, redactor };
    current.forget();
    if (isRepeated) return { answer, redactor };
  }
}

async function requestJson(client: ServiceClient, call: Omit<ServiceCall<TSchema>, "needs">) {
  const { answer, redactor } = await exchangeWithToken(client, call);
  call.onAnswer?.(answer);
  if (!answer.isOk) throw toServiceError(call, answer, redactor);
  const endpoint = `${call.method} ${call.path}`;
  const malformed = ({ path, reason }: Mismatch): MalformedDataError =>
    new MalformedDataError({
      what: `the response of ${endpoint}`,
      path: redactor.text(path),
      reason: redactor.text(reason),
      call: { endpoint, tries: answer.tries, requestId: call.requestId },
    });
  if (answer.body === undefined) throw malformed({ path: "", reason: "it is not JSON" });
  return { body: answer.body, malformed };
}

/** Whether a service does not have an endpoint yet, or no longer has it. */
export function isMissingEndpoint(error: unknown): boolean {
  return error instanceof ServiceError && (error.status === 404 || error.status === 410);
}
