import {
  type InitiatedAttestation,
  InitiatedAnswerSchema,
  type InitiatedBody,
} from "../../protocol/attestation/messages/withdrawals.ts";
import { callStrictly } from "../callService.ts";
import type { ServiceClient } from "../client.ts";

/** What {@link attestInitiated} takes: the body of the call. */
export interface AttestInitiatedParameters extends InitiatedBody {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has an oracle attest that the account of a withdrawal holds what is to be withdrawn (`POST /attestations/withdrawal-initiated/v1`, spec 5,
 * section 8). This answer is not signed.
 *
 * @throws {@link ServiceError} when it is refused: `message` says why, and a later call may succeed once a transaction is
 * final
 */
export function attestInitiated(
  client: ServiceClient,
  { signal, ...body }: AttestInitiatedParameters,
): Promise<InitiatedAttestation> {
  return callStrictly(client, {
    method: "POST",
    path: "/attestations/withdrawal-initiated/v1",
    body,
    schema: InitiatedAnswerSchema,
    signal,
  });
}
