import {
  type ExecutionAttestation,
  ExecutionAnswerSchema,
  type TransferBody,
} from "../../protocol/attestation/messages/transfer.ts";
import { callStrictly } from "../callService.ts";
import type { ServiceClient } from "../client.ts";

/** What {@link attestTransfer} takes: the body of the call. */
export interface AttestTransferParameters extends TransferBody {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has an oracle attest that an owner moves a balance to another account of the hub (`POST /attestations/transfer/v1`, spec 5, section 2).
 *
 * @throws {@link ServiceError} when it is refused: `message` says why, and a later call may succeed once a transaction is
 * final
 */
export function attestTransfer(
  client: ServiceClient,
  { signal, ...body }: AttestTransferParameters,
): Promise<ExecutionAttestation> {
  return callStrictly(client, {
    method: "POST",
    path: "/attestations/transfer/v1",
    body,
    schema: ExecutionAnswerSchema,
    signal,
  });
}
