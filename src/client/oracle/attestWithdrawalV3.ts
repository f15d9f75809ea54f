import type { WithdrawalV3Body } from "../../protocol/attestation/messages/withdrawRequests.ts";
import {
  type WithdrawalStatusAttestation,
  WithdrawalStatusAnswerSchema,
} from "../../protocol/attestation/messages/withdrawalsV2.ts";
import { callStrictly } from "../callService.ts";
import type { ServiceClient } from "../client.ts";

/** What {@link attestWithdrawalV3} takes: the body of the call. */
export interface AttestWithdrawalV3Parameters extends WithdrawalV3Body {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has an oracle attest what became of a withdraw request (`POST /attestations/depository-withdrawals/v3`, spec 5, section 4). Only
 * one that expired has an execution.
 *
 * @throws {@link ServiceError} when it is refused: `message` says why
 */
export function attestWithdrawalV3(
  client: ServiceClient,
  { signal, ...body }: AttestWithdrawalV3Parameters,
): Promise<WithdrawalStatusAttestation> {
  return callStrictly(client, {
    method: "POST",
    path: "/attestations/depository-withdrawals/v3",
    body,
    schema: WithdrawalStatusAnswerSchema,
    signal,
  });
}
