import {
  type InitiationAttestation,
  InitiationAnswerSchema,
  type InitiationBody,
} from "../../protocol/attestation/messages/withdrawals.ts";
import { callStrictly } from "../callService.ts";
import type { ServiceClient } from "../client.ts";

/** What {@link attestInitiation} takes: the body of the call. */
export interface AttestInitiationParameters extends InitiationBody {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has an oracle attest that an owner initiates a withdrawal (`POST /attestations/withdrawal-initiation/v1`, spec 5, section 8): its execution moves the
 * balance to the withdrawal's account on the hub.
 *
 * @throws {@link ServiceError} when it is refused: `message` says why, and a later call may succeed once a transaction is
 * final
 */
export function attestInitiation(
  client: ServiceClient,
  { signal, ...body }: AttestInitiationParameters,
): Promise<InitiationAttestation> {
  return callStrictly(client, {
    method: "POST",
    path: "/attestations/withdrawal-initiation/v1",
    body,
    schema: InitiationAnswerSchema,
    signal,
  });
}
