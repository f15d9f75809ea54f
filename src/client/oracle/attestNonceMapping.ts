import {
  type EntryAttestation,
  EntryAnswerSchema,
  type NonceMappingBody,
} from "../../protocol/attestation/messages/genericMapping.ts";
import { callStrictly } from "../callService.ts";
import type { ServiceClient } from "../client.ts";

/** What {@link attestNonceMapping} takes: the body of the call. */
export interface AttestNonceMappingParameters extends NonceMappingBody {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has an oracle attest a wallet's word that binds its nonce to an id (`POST /attestations/signatures/nonce-mapping/v2`, spec 5, section 2), as an entry of
 * the hub's generic mapping.
 *
 * @throws {@link ServiceError} when it is refused: `message` says why, and a later call may succeed once a transaction is
 * final
 */
export function attestNonceMapping(
  client: ServiceClient,
  { signal, ...body }: AttestNonceMappingParameters,
): Promise<EntryAttestation> {
  return callStrictly(client, {
    method: "POST",
    path: "/attestations/signatures/nonce-mapping/v2",
    body,
    schema: EntryAnswerSchema,
    signal,
  });
}
