import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { type IntentStatus, IntentStatusSchema } from "@crosscall/protocol/request";
import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";

export interface GetStatusParameters {
  readonly requestId: string;
  /** Maximum number of attempts, if below the client's. */
  readonly maxTries?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the current status of a request (`GET /intents/status/v3`, spec 1, section 4.3). */
export function getStatus(client: ServiceClient, parameters: GetStatusParameters): Promise<IntentStatus> {
  rejectUnknownOptions(parameters, { requestId: 1, maxTries: 1, signal: 1 });
  const { requestId, maxTries, signal } = parameters;
  return callService(client, {
    method: "GET",
    path: "/intents/status/v3",
    query: { requestId },
    schema: IntentStatusSchema,
    needs: ["status"],
    requestId,
    maxTries,
    signal,
  });
}
