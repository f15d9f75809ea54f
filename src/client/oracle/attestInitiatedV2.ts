import {
  type InitiatedV2Attestation,
  InitiatedV2AnswerSchema,
  type OwnedWithdrawalBody,
} from "../../protocol/attestation/messages/withdrawalsV2.ts";
import type { Order } from "../../protocol/order.ts";
import { callStrictly } from "../callService.ts";
import type { ServiceClient } from "../client.ts";

/** What {@link attestInitiatedV2} takes: the body of the call. */
export interface AttestInitiatedV2Parameters extends Omit<OwnedWithdrawalBody, "order"> {
  readonly order?: Order;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has an oracle attest, to the allocator of the second version, that the account of a withdrawal holds exactly what is to
 * be withdrawn (`POST /attestations/withdrawal-initiated/v2`, spec 5, section 4).
 *
 * @throws {@link ServiceError} when it is refused: `message` says why
 */
export function attestInitiatedV2(
  client: ServiceClient,
  { signal, ...body }: AttestInitiatedV2Parameters,
): Promise<InitiatedV2Attestation> {
  return callStrictly(client, {
    method: "POST",
    path: "/attestations/withdrawal-initiated/v2",
    body,
    schema: InitiatedV2AnswerSchema,
    signal,
  });
}
