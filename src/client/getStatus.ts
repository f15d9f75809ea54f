import { type IntentStatus, IntentStatusSchema } from "../protocol/intentStatus.ts";
import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";

/** What {@link getStatus} takes. */
export interface GetStatusParameters {
  readonly requestId: string;
  readonly signal?: AbortSignal | undefined;
}

/** The present status of a request (`GET /intents/status/v3`, spec 1 section 4.3). */
export function getStatus(client: ServiceClient, { requestId, signal }: GetStatusParameters): Promise<IntentStatus> {
  return callService(client, {
    method: "GET",
    path: "/intents/status/v3",
    query: { requestId },
    schema: IntentStatusSchema,
    signal,
  });
}
