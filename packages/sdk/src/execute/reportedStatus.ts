import { ServiceError } from "@crosscall/protocol/core";
import type { IntentStatus } from "@crosscall/protocol/request";
import type { ServiceClient } from "../client/client.ts";
import { getStatus } from "../client/getStatus.ts";

/** The status of a request whose payment the service knows; undefined before that. */
export async function reportedStatus(
  client: ServiceClient,
  requestId: string,
  signal: AbortSignal | undefined,
): Promise<IntentStatus | undefined> {
  try {
    const status = await getStatus(client, { requestId, signal });
    return status.status === "waiting" ? undefined : status;
  } catch (error) {
    // A service need not know a request before its deposit.
    if (error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  }
}
