import {
  type WithdrawalAttestation,
  WithdrawalAnswerSchema,
  type WithdrawalBody,
} from "../../protocol/attestation/messages/withdrawals.ts";
import { callStrictly } from "../callService.ts";
import type { ServiceClient } from "../client.ts";

/** What {@link attestWithdrawal} takes: the body of the call. */
export interface AttestWithdrawalParameters extends WithdrawalBody {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has an oracle attest what became of a withdrawal (`POST /attestations/depository-withdrawals/v1`, spec 5, section 8). One that is pending has no
 * execution.
 *
 * @throws {@link ServiceError} when it is refused: `message` says why, and a later call may succeed once a transaction is
 * final
 */
export function attestWithdrawal(
  client: ServiceClient,
  { signal, ...body }: AttestWithdrawalParameters,
): Promise<WithdrawalAttestation> {
  return callStrictly(client, {
    method: "POST",
    path: "/attestations/depository-withdrawals/v1",
    body,
    schema: WithdrawalAnswerSchema,
    signal,
  });
}
