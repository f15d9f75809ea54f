import { CrosscallError, ServiceError } from "../../core/errors.ts";
import type { IntentStatus } from "../../protocol/request/intentStatus.ts";
import type { ServiceClient } from "../client.ts";
import { getStatus } from "../getStatus.ts";

/** What one look saw: a status, or a fault that passes. */
export type PollResult =
  | { readonly status: IntentStatus; readonly fault?: undefined }
  | { readonly status?: undefined; readonly fault: CrosscallError };

/**
 * Asks for the status once.
 *
 * @throws what does not pass: the service does not know the request, or the caller aborted
 */
export async function pollStatus(
  client: ServiceClient,
  requestId: string,
  signal: AbortSignal | undefined,
): Promise<PollResult> {
  try {
    // Once only: the watch itself is what looks again.
    return { status: await getStatus(client, { requestId, maxTries: 1, signal }) };
  } catch (error) {
    if (isPassing(error)) return { fault: error };
    throw error;
  }
}

/** Whether a later call may well be answered. */
export function isPassing(error: unknown): error is CrosscallError {
  if (error instanceof ServiceError) return error.status >= 500 || error.status === 429;
  return error instanceof CrosscallError && ["SERVICE_UNREACHABLE", "TIMED_OUT"].includes(error.code);
}
