import {
  type EntryAttestation,
  EntryAnswerSchema,
  type NoFillBody,
} from "../../protocol/attestation/messages/genericMapping.ts";
import { callStrictly } from "../callService.ts";
import type { ServiceClient } from "../client.ts";

/** What {@link attestNoFill} takes: the body of the call. */
export interface AttestNoFillParameters extends NoFillBody {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has an oracle attest a solver's word that it neither filled nor refunded an order (`POST /attestations/signatures/no-fill-or-refund/v1`, spec 5,
 * section 2), as an entry of the hub's generic mapping.
 *
 * @throws {@link ServiceError} when it is refused: `message` says why, and a later call may succeed once a transaction is
 * final
 */
export function attestNoFill(
  client: ServiceClient,
  { signal, ...body }: AttestNoFillParameters,
): Promise<EntryAttestation> {
  return callStrictly(client, {
    method: "POST",
    path: "/attestations/signatures/no-fill-or-refund/v1",
    body,
    schema: EntryAnswerSchema,
    signal,
  });
}
