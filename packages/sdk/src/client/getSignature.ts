import { type RequestSignature, RequestSignatureSchema } from "@crosscall/protocol/request/signature";
import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";

export interface GetSignatureParameters {
  readonly requestId: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the service's signature over a request (`GET /requests/{requestId}/signature`, spec 1, section 4.4). Verify
 * it with `verifySignature`.
 */
export function getSignature(
  client: ServiceClient,
  { requestId, signal }: GetSignatureParameters,
): Promise<RequestSignature> {
  return callService(client, {
    method: "GET",
    path: `/requests/${encodeURIComponent(requestId)}/signature`,
    schema: RequestSignatureSchema,
    requestId,
    signal,
  });
}
