import { type RequestSignatureV2, RequestSignatureV2Schema } from "@crosscall/protocol/request/signature";
import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";
import type { GetSignatureParameters } from "./getSignature.ts";

/**
 * Returns the second version of the service's signature over a request (`GET /requests/{requestId}/signature/v2`), with
 * the output currency instead of the input amount. Verify it with `verifySignatureV2`.
 *
 * @throws {@link ServiceError} when the service does not know the request
 */
export function getSignatureV2(
  client: ServiceClient,
  { requestId, signal }: GetSignatureParameters,
): Promise<RequestSignatureV2> {
  return callService(client, {
    method: "GET",
    path: `/requests/${encodeURIComponent(requestId)}/signature/v2`,
    schema: RequestSignatureV2Schema,
    requestId,
    signal,
  });
}
