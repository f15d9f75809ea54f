import {
  type DepositsAttestation,
  DepositsAnswerSchema,
  type DepositsBody,
} from "../../protocol/attestation/messages/deposits.ts";
import { callStrictly } from "../callService.ts";
import type { ServiceClient } from "../client.ts";

/** What {@link attestDeposits} takes: the body of the call. */
export interface AttestDepositsParameters extends DepositsBody {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has an oracle attest the deposits of a transaction (`POST /attestations/depository-deposits/v1`, spec 5, section 1): what was deposited, and the
 * execution that credits it on the hub. A transaction without deposits gives no messages and no execution.
 *
 * @throws {@link ServiceError} when it is refused: `message` says why, and a later call may succeed once a transaction is
 * final
 */
export function attestDeposits(
  client: ServiceClient,
  { signal, ...body }: AttestDepositsParameters,
): Promise<DepositsAttestation> {
  return callStrictly(client, {
    method: "POST",
    path: "/attestations/depository-deposits/v1",
    body,
    schema: DepositsAnswerSchema,
    signal,
  });
}
