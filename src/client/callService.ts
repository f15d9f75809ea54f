import type { Static, TSchema } from "typebox";

import { MalformedDataError } from "../core/errors.ts";
import { findMismatch } from "../protocol/findMismatch.ts";
import type { ServiceClient } from "./client.ts";
import { toServiceError } from "./transport/answerError.ts";
import type { Answer, OutgoingCall } from "./transport/call.ts";
import { exchange } from "./transport/exchange.ts";
import { createRedactor } from "./transport/redact.ts";

/** One call of the service. */
export interface ServiceCall<schema extends TSchema> extends OutgoingCall {
  /** Shape of the answer. */
  readonly schema: schema;
  /** API keys in the query, which errors must not tell, beside the client's own. */
  readonly secrets?: readonly string[];
  /** Shown the last answer before it is judged, also one with an error status. */
  readonly onAnswer?: (answer: Answer) => void;
}

/**
 * Calls the service, again where what made it fail may pass, and parses its answer.
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
  const redactor = createRedactor([client.apiKey, ...(call.secrets ?? [])]);
  const answer = await exchange(client, call, redactor);
  call.onAnswer?.(answer);
  if (!answer.isOk) throw toServiceError(call, answer, redactor);
  const { body } = answer;
  const mismatch = body === undefined ? { path: "", reason: "it is not JSON" } : findMismatch(call.schema, body);
  if (mismatch === undefined) return body as Static<schema>;
  const endpoint = `${call.method} ${call.path}`;
  throw new MalformedDataError({
    what: `the answer of ${endpoint}`,
    path: redactor.text(mismatch.path),
    reason: redactor.text(mismatch.reason),
    call: { endpoint, tries: answer.tries, requestId: call.requestId },
  });
}
