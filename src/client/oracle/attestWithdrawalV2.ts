import {
  type WithdrawalStatusAttestation,
  WithdrawalStatusAnswerSchema,
  type WithdrawalV2Body,
} from "../../protocol/attestation/messages/withdrawalsV2.ts";
import type { Order } from "../../protocol/order.ts";
import { callStrictly } from "../callService.ts";
import type { ServiceClient } from "../client.ts";

/** What {@link attestWithdrawalV2} takes: the body of the call. */
export interface AttestWithdrawalV2Parameters extends Omit<WithdrawalV2Body, "order"> {
  readonly order?: Order;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has an oracle attest what became of a withdrawal that its owner signed (`POST /attestations/depository-withdrawals/v2`, spec 5,
 * section 4). One that is pending has no execution.
 *
 * @throws {@link ServiceError} when it is refused: `message` says why
 */
export function attestWithdrawalV2(
  client: ServiceClient,
  { signal, ...body }: AttestWithdrawalV2Parameters,
): Promise<WithdrawalStatusAttestation> {
  return callStrictly(client, {
    method: "POST",
    path: "/attestations/depository-withdrawals/v2",
    body,
    schema: WithdrawalStatusAnswerSchema,
    signal,
  });
}
