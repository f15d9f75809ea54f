import { ServiceError } from "@crosscall/protocol/core";
import { isTransientErrorCode } from "@crosscall/protocol/common";
import type { Answer, OutgoingCall } from "./call.ts";
import type { Redactor } from "./redact.ts";

/** The service's own code, if the body has one. */
export function errorCodeOf(body: unknown): string | undefined {
  const { errorCode, code } = fieldsOf(body);
  return textOf(errorCode ?? code);
}

/** Without the call's secrets. */
export function toServiceError(call: OutgoingCall, answer: Answer, redactor: Redactor): ServiceError {
  const { status, tries, retryAfterMs } = answer;
  const endpoint = `${call.method} ${call.path}`;
  const body = redactor.json(answer.body);
  const fields = fieldsOf(body);
  const errorCode = errorCodeOf(body);
  // The v2 listing names its successor next to the message, where other endpoints have errorData.
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
  if (errorCode !== undefined && isTransientErrorCode(errorCode)) return "This passes: try again in a moment.";
  if (status < 400) return "Pass the base URL that it points to: redirects are not followed.";
  if (status === 401 || status === 403) return "Pass an API key that may do this.";
  if (status === 410 && successor === "/quote/v3") {
    return "Pass apiKey or accessToken to the client: it then requests quotes of version 3.";
  }
  if (status === 410 && successor !== undefined) return `Use ${successor}.`;
  if (status === 404) return "Check the id and that this service is the one that issued it.";
  if (status === 429 && successor !== undefined) return `Use ${successor}: this endpoint takes fewer calls each month.`;
  if (status === 429) return "Wait before the next call, or use an API key with a higher limit.";
  if (status >= 500) return "The service failed: try again later.";
  return "Correct what the message names, and call again.";
}

/** Error bodies differ between endpoints and proxies. */
function fieldsOf(body: unknown): Record<string, unknown> {
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
