import {
  type ExecuteAndWithdrawAttestation,
  ExecuteAndWithdrawAnswerSchema,
  type ExecuteAndWithdrawBody,
} from "../../protocol/attestation/messages/executeAndWithdraw.ts";
import type { Order } from "../../protocol/order.ts";
import { callStrictly } from "../callService.ts";
import type { ServiceClient } from "../client.ts";

/** What {@link attestWithdrawAndFill} takes: the body of the call. */
export interface AttestWithdrawAndFillParameters extends Omit<ExecuteAndWithdrawBody, "order"> {
  readonly order: Order;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has an oracle attest a deposit, and that its order is filled out of a depository (`POST /attestations/withdraw-and-fill/v1`,
 * spec 5, section 4).
 *
 * @throws {@link ServiceError} when it is refused: `message` says why
 */
export function attestWithdrawAndFill(
  client: ServiceClient,
  { signal, ...body }: AttestWithdrawAndFillParameters,
): Promise<ExecuteAndWithdrawAttestation> {
  return callStrictly(client, {
    method: "POST",
    path: "/attestations/withdraw-and-fill/v1",
    body,
    schema: ExecuteAndWithdrawAnswerSchema,
    signal,
  });
}
