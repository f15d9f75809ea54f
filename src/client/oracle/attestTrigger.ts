import {
  type TriggerAttestation,
  TriggerAnswerSchema,
  type TriggerBody,
} from "../../protocol/attestation/messages/trigger.ts";
import { callStrictly } from "../callService.ts";
import type { ServiceClient } from "../client.ts";

/** What {@link attestTrigger} takes: the body of the call. */
export interface AttestTriggerParameters extends TriggerBody {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has an oracle attest what starts an order at a deposit address (`POST /attestations/deposit-address-triggers/v1`, spec 5,
 * section 4).
 *
 * @throws {@link ServiceError} when it is refused: `message` says why
 */
export function attestTrigger(
  client: ServiceClient,
  { signal, ...body }: AttestTriggerParameters,
): Promise<TriggerAttestation> {
  return callStrictly(client, {
    method: "POST",
    path: "/attestations/deposit-address-triggers/v1",
    body,
    schema: TriggerAnswerSchema,
    signal,
  });
}
