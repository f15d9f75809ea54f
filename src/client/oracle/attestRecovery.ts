import type { RecoverBody } from "../../protocol/attestation/messages/recover.ts";
import { type ExecutionAttestation, ExecutionAnswerSchema } from "../../protocol/attestation/messages/transfer.ts";
import type { Order } from "../../protocol/order.ts";
import { callStrictly } from "../callService.ts";
import type { ServiceClient } from "../client.ts";

/** What {@link attestRecovery} takes: the body of the call. */
export interface AttestRecoveryParameters extends Omit<RecoverBody, "order"> {
  readonly order?: Order;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has an oracle attest that a deposit goes back to its depositor on the hub (`POST /attestations/recover/v1`, spec 5,
 * section 4).
 *
 * @throws {@link ServiceError} when it is refused: `message` says why
 */
export function attestRecovery(
  client: ServiceClient,
  { signal, ...body }: AttestRecoveryParameters,
): Promise<ExecutionAttestation> {
  return callStrictly(client, {
    method: "POST",
    path: "/attestations/recover/v1",
    body,
    schema: ExecutionAnswerSchema,
    signal,
  });
}
