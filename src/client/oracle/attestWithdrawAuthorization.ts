import {
  type AuthorizationAttestation,
  AuthorizationAnswerSchema,
  type AuthorizationBody,
} from "../../protocol/attestation/messages/withdrawRequests.ts";
import type { Order } from "../../protocol/order.ts";
import { callStrictly } from "../callService.ts";
import type { ServiceClient } from "../client.ts";

/** What {@link attestWithdrawAuthorization} takes: the body of the call. */
export interface AttestWithdrawAuthorizationParameters extends Omit<AuthorizationBody, "order"> {
  readonly order?: Order;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has an oracle attest that an owner authorized a withdraw request
 * (`POST /attestations/withdraw-request-authorization/v1`, spec 5, section 4).
 *
 * @throws {@link ServiceError} when it is refused: `message` says why
 */
export function attestWithdrawAuthorization(
  client: ServiceClient,
  { signal, ...body }: AttestWithdrawAuthorizationParameters,
): Promise<AuthorizationAttestation> {
  return callStrictly(client, {
    method: "POST",
    path: "/attestations/withdraw-request-authorization/v1",
    body,
    schema: AuthorizationAnswerSchema,
    signal,
  });
}
