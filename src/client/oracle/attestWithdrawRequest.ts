import {
  type WithdrawRequestAttestation,
  WithdrawRequestAnswerSchema,
  type WithdrawRequestBody,
} from "../../protocol/attestation/messages/withdrawRequests.ts";
import { callStrictly } from "../callService.ts";
import type { ServiceClient } from "../client.ts";

/** What {@link attestWithdrawRequest} takes: the body of the call. */
export interface AttestWithdrawRequestParameters extends WithdrawRequestBody {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has an oracle attest the hashes that the allocator is to sign for a withdraw request (`POST /attestations/withdraw-requests/v1`,
 * spec 5, section 4).
 *
 * @throws {@link ServiceError} when it is refused: `message` says why
 */
export function attestWithdrawRequest(
  client: ServiceClient,
  { signal, ...body }: AttestWithdrawRequestParameters,
): Promise<WithdrawRequestAttestation> {
  return callStrictly(client, {
    method: "POST",
    path: "/attestations/withdraw-requests/v1",
    body,
    schema: WithdrawRequestAnswerSchema,
    signal,
  });
}
