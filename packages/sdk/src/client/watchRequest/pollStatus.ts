import { CrosscallError, ServiceError } from "@crosscall/protocol/core";
import type { IntentStatus } from "@crosscall/protocol/request";
import type { ServiceClient } from "../client.ts";
import { getStatus } from "../getStatus.ts";

/** A status, or a transient failure. */
export type PollResult =
  | { readonly status: IntentStatus; readonly fault?: undefined }
  | { readonly status?: undefined; readonly fault: CrosscallError };

export async function pollStatus(
  client: ServiceClient,
  requestId: string,
  signal: AbortSignal | undefined,
): Promise<PollResult> {
  try {
    // One try, since the watch itself repeats.
    return { status: await getStatus(client, { requestId, maxTries: 1, signal }) };
  } catch (error) {
    if (isPassing(error)) return { fault: error };
    throw error;
  }
}

/** Whether a later call may succeed. */
export function isPassing(error: unknown): error is CrosscallError {
  if (error instanceof ServiceError) return error.status >= 500 || error.status === 429;
  return error instanceof CrosscallError && ["SERVICE_UNREACHABLE", "TIMED_OUT"].includes(error.code);
}
