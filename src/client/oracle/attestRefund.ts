import {
  type RefundAttestation,
  RefundAnswerSchema,
  type RefundBody,
} from "../../protocol/attestation/messages/solver.ts";
import type { Order } from "../../protocol/order.ts";
import { callStrictly } from "../callService.ts";
import type { ServiceClient } from "../client.ts";

/** What {@link attestRefund} takes: the body of the call. */
export interface AttestRefundParameters extends Omit<RefundBody, "order"> {
  readonly order: Order;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has an oracle attest that a solver refunded an order (`POST /attestations/solver-refunds/v1`, spec 5, section 4): its execution gives the
 * solver what was deposited for the order.
 *
 * @throws {@link ServiceError} when it is refused: `message` says why, and a later call may succeed once a transaction is
 * final
 */
export function attestRefund(
  client: ServiceClient,
  { signal, ...body }: AttestRefundParameters,
): Promise<RefundAttestation> {
  return callStrictly(client, {
    method: "POST",
    path: "/attestations/solver-refunds/v1",
    body,
    schema: RefundAnswerSchema,
    signal,
  });
}
