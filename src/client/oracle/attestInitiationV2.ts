import {
  type InitiationV2Attestation,
  InitiationV2AnswerSchema,
  type OwnedWithdrawalBody,
} from "../../protocol/attestation/messages/withdrawalsV2.ts";
import type { Order } from "../../protocol/order.ts";
import { callStrictly } from "../callService.ts";
import type { ServiceClient } from "../client.ts";

/** What {@link attestInitiationV2} takes: the body of the call. */
export interface AttestInitiationV2Parameters extends Omit<OwnedWithdrawalBody, "order"> {
  readonly order?: Order;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has an oracle attest that an owner initiates a withdrawal (`POST /attestations/withdrawal-initiation/v2`, spec 5, section 4): its
 * execution moves the balance to the withdrawal's account on the hub.
 *
 * @throws {@link ServiceError} when it is refused: `message` says why
 */
export function attestInitiationV2(
  client: ServiceClient,
  { signal, ...body }: AttestInitiationV2Parameters,
): Promise<InitiationV2Attestation> {
  return callStrictly(client, {
    method: "POST",
    path: "/attestations/withdrawal-initiation/v2",
    body,
    schema: InitiationV2AnswerSchema,
    signal,
  });
}
